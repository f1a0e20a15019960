import type { Json, Row, Run, Verification } from "../src/data";
import { type Wanted, row, run, times, training } from "./fixture_rows";

export function calibration(dilation: number, random: () => number): Json {
  const links = (k: number): Json =>
    Array.from({ length: 9 * k }, (_, i): Json => ({
      alone_bytes_per_s: 24816951 * (0.997 + 0.006 * random()),
      at: i % k,
      from: i % 9,
      to: (i + 1) % 9,
      via: i % k,
    }));
  const wiring = (k: number, together: number): Json => ({
    built_in_ms: 12,
    burst_bytes_per_s: 53288375,
    expected_bytes_per_s: 24816951,
    links: links(k),
    machine_bound: false,
    repeated: 0,
    startup_us: 351.5,
    together_bytes_per_s: 24816951 * together,
  });
  return {
    burst_bytes: 73728,
    dilation,
    mtu: 9000,
    rate_bits_per_s: 40e9 / dilation,
    version: 1,
    wirings: { "bcube(3,2)": wiring(2, 0.9935), "single-switch(9)": wiring(1, 0.9981) },
  };
}

/** A verification of hosts that were measured although one check had failed. */
const kVerification: Verification = {
  file: "testbed/verification.json",
  finished: "2026-03-01T11:58:00Z",
  wiring: "bcube(3,2)",
  passed: false,
  settings: { lossless: true, qos_provider: "dcb", mtu: 9000 },
  checks: [
    { check: "link", passed: 18, failed: 0 },
    { check: "mtu", passed: 17, failed: 1 },
  ],
  failures: ["red port 1 (bc1): MTU 1500, plan says 9000"],
  ignored: ["1 of 36 checks failed"],
};

export function quickstart(random: () => number): Run {
  const points: [string, string, number, number, number, number, string[]][] = [
    ["ring", "single-switch(9)", 1, 4684.0, 4691.6, 9 * 80, ["faster-than-bound"]],
    ["ps", "single-switch(9)", 1, 4731.5, 4691.6, 9 * 80, []],
    ["halving-doubling", "single-switch(9)", 1, 5874.2, 5211.3, 9 * 80, ["high-variance"]],
    ["bml", "bcube(3,2)", 2, 2351.0, 2345.8, 18 * 80, []],
    ["staged-bcube", "bcube(3,2)", 2, 4802.7, 4691.6, 18 * 80, []],
    ["ring", "fat-tree(4)", 1, 4951.3, 4691.6, 80 * 80, []],
  ];
  const of = ([algorithm, wiring, k, median, bound, price, flags]: (typeof points)[number], i: number): Row[] => {
    const common: Wanted = {
      wiring,
      algorithm,
      N: wiring === "fat-tree(4)" ? 16 : 9,
      k,
      gst: [],
      bound,
      price,
      plan: [0, null, null, 1, null, 2][i],
      switches: [1, 1, 1, 6, 6, 20][i],
    };
    const spread = flags.includes("high-variance") ? 0.12 : 0.012;
    return [
      row({ ...common, gst: times(median, 200, spread, random), flags }),
      row({ ...common, backing: "simulated", gst: [median * (0.985 + 0.004 * i)] }),
    ];
  };
  return run("quickstart", points.flatMap(of), {
    description: "LeNet-5's gradients on nine servers with 40 Gbit/s links: ring, parameter server and BML.",
    calibration: calibration(200, random),
    verification: kVerification,
  });
}

export function figure6(random: () => number): Run {
  const rows = [128, 256, 512, 1024].flatMap((batch, b) =>
    (
      [
        ["ps", "single-switch(9)", 1, 4712],
        ["ps(per-tensor)", "single-switch(9)", 1, 9120],
        ["bml", "bcube(3,2)", 2, 2360],
      ] as const
    ).map(([algorithm, wiring, k, median], a) => {
      const compute = 1930 * 2 ** b;
      const gst = times(median, 24, 0.02, random);
      const iterations = gst.map((one) => one + compute);
      const timing = training(iterations, compute, 1, compute + median * 1.01);
      return row({
        wiring,
        algorithm,
        N: 9,
        k,
        gst,
        bound: median * 0.99,
        batch,
        schedule: "synceasgd",
        training: timing,
        iterations,
        flags: a === 1 && b === 3 ? ["burst"] : [],
      });
    }),
  );
  return run("bml-figure6", rows, {
    description: "BML paper, Figure 6: LeNet-5 on nine servers.",
    dilation: 80,
    started: "2026-03-02T08:00:00Z",
    problems: ["samples.ndjson:118: the line ends in the middle; it is left out"],
    notes: ["No timeline of 2 simulated points: simulating them again takes too long."],
  });
}

/** How an iteration of a schedule went: measured, in how many buckets, and predicted. */
type Scheduled = readonly [schedule: string, time: number, buckets: number, predicted: number];

const kSchedules: Scheduled[] = [
  ["none", 545209, 161, 546807],
  ["wfbp", 344891, 161, 364588],
  ["synceasgd", 447009, 1, 446478],
  ["ddp", 315305, 5, 316018],
  ["mg-wfbp", 302417, 26, 302357],
  ["optimum", 302421, 40, 302300],
];

function scheduled_row([schedule, time, buckets, predicted]: Scheduled, backing: string, random: () => number): Row {
  const iterations = backing === "simulated" ? [predicted] : times(time, 12, 0.004, random);
  const measured = backing === "emulated";
  return row({
    wiring: "single-switch(8)",
    algorithm: "ring",
    N: 8,
    k: 1,
    gst: iterations.map((one) => one * 0.45),
    bound: 144175,
    bytes: 102228128,
    workload: "resnet50",
    batch: 64,
    schedule,
    backing,
    flags: measured && ["none", "wfbp"].includes(schedule) ? ["burst"] : [],
    rate: 10e9,
    training: training(iterations, 301570, buckets, predicted),
    iterations,
    losses: backing === "simulated" ? undefined : iterations.map((_, i) => 2.3 / (1 + i)),
    timeline: measured && schedule === "ddp" ? 0 : null,
  });
}

export function schedule_run(random: () => number): Run {
  const rows = kSchedules.flatMap((one) =>
    ["emulated", "simulated"].map((backing) => scheduled_row(one, backing, random)),
  );
  return run("mg-wfbp", rows, {
    description: "All schedules, ResNet-50, ring on eight servers.",
    dilation: 10,
    started: "2026-03-03T08:00:00Z",
    link: { rate_bits_per_s: 10e9, mtu: 9000, headers: true, startup_us: 45.25, delay_us: 0 },
  });
}

/** A training job of N workers; `per` is what its schedule costs whenever N doubles. */
function scaled_job(N: number, schedule: string, per: number): Row {
  const iteration = 700000 + per * 900 * Math.log2(N) + (schedule === "wfbp" ? 900 * N : 250 * N);
  return row({
    wiring: `single-switch(${N})`,
    algorithm: "ring",
    N,
    k: 1,
    gst: [iteration - 600000],
    bound: (90000 * (N - 1)) / N,
    backing: "simulated",
    workload: "googlenet",
    batch: 64,
    schedule,
    bytes: 53513120,
    rate: 8.05306368e9,
    training: training([iteration], 640000, 5, iteration * 1.001),
    flags: N >= 1024 ? ["few-samples"] : [],
  });
}

function cube_row(n: number, k: number): Row {
  const N = n ** k;
  const bound = (8000 * 2 * (N - 1)) / N / k;
  return row({
    wiring: `bcube(${n},${k})`,
    algorithm: "bml",
    N,
    k,
    gst: [bound * 1.003 + 4 * k * n],
    bound,
    backing: "simulated",
    workload: "",
    bytes: 40000000,
    switches: (k * N) / n,
    price: N * k * 150,
  });
}

/** A row of 4096 * 8^i bytes. The tree takes less time to start than the ring, and more for each byte. */
function sized_row(i: number, algorithm: "ring" | "double-tree"): Row {
  const a = algorithm === "ring" ? 0 : 1;
  return row({
    wiring: "single-switch(16)",
    algorithm,
    N: 16,
    k: 1,
    gst: [(120 + 40 * a) * (4 - a * 2.4) + 4096 * 8 ** i * 3.8e-4 * (1 + 0.15 * a)],
    bound: 4096 * 8 ** i * 3.75e-4,
    bytes: 4096 * 8 ** i,
    backing: "simulated",
    workload: "",
  });
}

export function scaling_run(): Run {
  const jobs = [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048].flatMap((N) => [
    scaled_job(N, "wfbp", 900),
    scaled_job(N, "synceasgd", 160),
    scaled_job(N, "mg-wfbp", 60),
  ]);
  const cubes = [2, 3, 4].flatMap((k) => [2, 4, 8, 16].map((n) => cube_row(n, k)));
  const by_size = [1, 2, 3, 4, 5, 6, 7].flatMap((i) => [sized_row(i, "ring"), sized_row(i, "double-tree")]);
  return run("mg-wfbp-figure10", [...jobs, ...cubes, ...by_size], {
    description: "Simulated: 4 to 2048 workers, and BML on BCubes.",
    dilation: null,
    started: "2026-03-04T08:00:00Z",
  });
}
