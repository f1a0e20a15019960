import type { Row, Run, Samples, Summary, Training, WiringCost } from "../src/data";

/** Numbers in [0, 1) that are the same in every run: a linear congruence (Numerical Recipes). */
export function randomness(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function encode(values: number[]): string {
  const floats = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => floats.setFloat32(4 * i, value, true));
  return Buffer.from(floats.buffer).toString("base64");
}

/** So many samples around a median, with a tail to the right, as times have it. */
export function times(median: number, count: number, spread: number, random: () => number): number[] {
  return Array.from(
    { length: count },
    () => median * (1 + spread * (random() + random() - 1) + (random() < 0.03 ? 4 * spread * random() : 0)),
  );
}

export function summary(values: number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  const rank = (share: number): number => sorted[Math.min(n - 1, Math.ceil(share * n) - 1)];
  const mean = sorted.reduce((a, b) => a + b, 0) / n;
  const stdev = n < 2 ? 0 : Math.sqrt(sorted.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1));
  const half = Math.ceil(0.98 * Math.sqrt(n));
  const interval =
    n < 6
      ? null
      : {
          low: sorted[Math.max(0, Math.floor(n / 2) - half)],
          high: sorted[Math.min(n - 1, Math.floor(n / 2) + half)],
          confidence: 0.95,
        };
  const median = n % 2 ? sorted[(n - 1) / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  return {
    n,
    median,
    p95: rank(0.95),
    p99: rank(0.99),
    mean,
    stdev,
    cv_percent: (100 * stdev) / mean,
    min: sorted[0],
    max: sorted[n - 1],
    median_interval: interval,
  };
}

export interface Wanted {
  wiring: string;
  algorithm: string;
  N: number;
  k: number;
  gst: number[];
  bound: number | null;
  bytes?: number;
  backing?: string;
  workload?: string;
  batch?: number | null;
  schedule?: string;
  flags?: string[];
  price?: number | null;
  switches?: number;
  training?: Training | null;
  iterations?: number[];
  losses?: number[];
  plan?: number | null;
  timeline?: number | null;
  rate?: number;
}

let points = 0;

type Measured = Pick<Row, "gst_us" | "bound_us" | "algbw_gbs" | "busbw_gbs" | "nicbw_gbs" | "efficiency">;

/** The part of a row that follows from its times. */
function measured(wanted: Wanted, bytes: number): Measured {
  const gst = summary(wanted.gst);
  const algbw = bytes / gst.median / 1e3;
  const busbw = (algbw * 2 * (wanted.N - 1)) / wanted.N;
  return {
    gst_us: gst,
    bound_us: wanted.bound,
    algbw_gbs: algbw,
    busbw_gbs: busbw,
    nicbw_gbs: busbw / wanted.k,
    efficiency: wanted.bound === null ? null : wanted.bound / gst.median,
  };
}

function wiring_cost(wanted: Wanted, gst_us: number): WiringCost {
  const nics = wanted.N * wanted.k;
  return {
    cut_us: (wanted.bound ?? gst_us) * 0.98,
    cut: "each host's NICs",
    switches: wanted.switches ?? wanted.k,
    switch_ports: nics,
    nics,
    cables: nics,
    price: wanted.price ?? null,
  };
}

/** The row with a `pair` of what the program takes for it: all but the backing. */
export function paired(row: Row): Row {
  const { wiring, algorithm, workload, batch, schedule, N, k, bytes, type, t_f_us } = row;
  const profile = row.training?.profile ?? null;
  return {
    ...row,
    pair: JSON.stringify([wiring, algorithm, workload, batch, schedule, N, k, bytes, type, t_f_us, profile]),
  };
}

const samples_of = (wanted: Wanted): Samples => ({
  count: wanted.gst.length,
  every: 1,
  gst_us: encode(wanted.gst),
  iteration_us: wanted.iterations ? encode(wanted.iterations) : null,
  loss: wanted.losses ? encode(wanted.losses) : null,
});

export function row(wanted: Wanted): Row {
  const bytes = wanted.bytes ?? 13098536;
  const found = measured(wanted, bytes);
  return paired({
    key: `point ${points}`,
    pair: "",
    point: points++,
    backing: wanted.backing ?? "emulated",
    wiring: wanted.wiring,
    algorithm: wanted.algorithm,
    workload: wanted.workload ?? "lenet5",
    batch: wanted.batch ?? null,
    schedule: wanted.schedule ?? "none",
    N: wanted.N,
    k: wanted.k,
    bytes,
    elements: bytes / 4,
    type: "float32",
    dilation: wanted.backing === "simulated" ? 1 : 200,
    t_f_us: (bytes * 8e6) / (wanted.rate ?? 40e9),
    ...found,
    predicted_gst_us: null,
    prediction_error_percent: null,
    latency_us: null,
    iterations: { attempted: wanted.gst.length + 2, warmup: 2, earlier: 0, disturbed: 0 },
    foreign_share: wanted.backing === "simulated" ? null : 0.01,
    wiring_cost: wiring_cost(wanted, found.gst_us.median),
    training: wanted.training ?? null,
    wrong: wanted.backing === "simulated" ? null : 0,
    flags: wanted.flags ?? [],
    samples: samples_of(wanted),
    plan: wanted.plan ?? null,
    timeline: wanted.timeline ?? null,
  });
}

/** A training job's part of a row, from its iterations. */
export function training(iterations: number[], compute: number, buckets: number, predicted: number): Training {
  const iteration = summary(iterations);
  const exposed = iteration.median - compute;
  return {
    profile: "derived: 1 v100 at 0.35 of 15.7 Tflop/s float32",
    iteration_us: iteration,
    compute_us: compute,
    exposed_us: exposed,
    exposed_percent: (100 * exposed) / iteration.median,
    jct_us: iterations.reduce((a, b) => a + b, 0),
    predicted_iteration_us: predicted,
    prediction_error_percent: 100 * (predicted / iteration.median - 1),
    buckets: Array.from({ length: buckets }, (_, i) => ({ gst_us: 100 + i })),
  };
}

export function run(name: string, rows: Row[], more: Partial<Run> = {}): Run {
  return {
    name,
    folder: `results/runs/${name}`,
    description: `A made-up run called ${name}.`,
    started: "2026-03-01T12:00:05Z",
    status: "complete",
    problems: [],
    notes: [],
    link: { rate_bits_per_s: 40e9, mtu: 9000, headers: true, startup_us: 0, delay_us: 0 },
    dilation: 200,
    context: {
      arguments: ["gradwire", "run", `experiments/${name}.yaml`],
      build: { commit: "0123456789ab", compiler: "GNU 12.2.0", build_type: "Release" },
      experiment: {
        file: `experiments/${name}.yaml`,
        name,
        text: `gradwire: 1\nname: ${name}\nlink: {rate: 40Gbit, mtu: 9000}\n`,
      },
      machine: {
        cpu: "Example CPU",
        cores: 2,
        kernel: "Linux 6.1.0",
        governor: null,
        sysctl: { "net/ipv4/tcp_congestion_control": "bbr" },
      },
      started: "2026-03-01T12:00:05Z",
    },
    calibration: null,
    verification: null,
    rows,
    ...more,
  };
}
