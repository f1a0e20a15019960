import type { PlanDrawing, PlanStep, Timeline, TimelineRank, Transfer, Wiring } from "../src/data";

type Node = NonNullable<Wiring["nodes"]>[number];
type Link = NonNullable<Wiring["links"]>[number];

const hosts = (count: number): Node[] => Array.from({ length: count }, (_, i) => ({ name: `host ${i}`, layer: 0 }));

/** Host i is port (i / n^level) mod n of switch i with that digit taken out. */
export function bcube(n: number, k: number): Wiring {
  const N = n ** k;
  const nodes = hosts(N);
  const links: Link[] = [];
  for (let level = 0; level < k; ++level) {
    const first = nodes.length;
    for (let s = 0; s < N / n; ++s) nodes.push({ name: `switch ${level}.${s}`, layer: level + 1 });
    for (let host = 0; host < N; ++host) {
      const low = host % n ** level;
      const high = Math.floor(host / n ** (level + 1));
      links.push({ a: host, b: first + high * n ** level + low, speed: 1 });
    }
  }
  return {
    name: `bcube(${n},${k})`,
    N,
    k,
    layers: ["hosts", ...Array.from({ length: k }, (_, l) => `level ${l}`)],
    nodes,
    links,
  };
}

export function single_switch(N: number): Wiring {
  const nodes = [...hosts(N), { name: "switch 0", layer: 1 }];
  return {
    name: `single-switch(${N})`,
    N,
    k: 1,
    layers: ["hosts", "switch"],
    nodes,
    links: Array.from({ length: N }, (_, a) => ({ a, b: N, speed: 1 })),
  };
}

export function fat_tree(p: number): Wiring {
  const half = p / 2;
  const N = (p * p * p) / 4;
  const nodes = hosts(N);
  const links: Link[] = [];
  const edges = nodes.length;
  for (let i = 0; i < p * half; ++i) nodes.push({ name: `edge ${i}`, layer: 1 });
  const aggregations = nodes.length;
  for (let i = 0; i < p * half; ++i) nodes.push({ name: `aggregation ${i}`, layer: 2 });
  const cores = nodes.length;
  for (let i = 0; i < half * half; ++i) nodes.push({ name: `core ${i}`, layer: 3 });
  for (let host = 0; host < N; ++host) links.push({ a: host, b: edges + Math.floor(host / half), speed: 1 });
  for (let pod = 0; pod < p; ++pod) {
    for (let e = 0; e < half; ++e)
      for (let a = 0; a < half; ++a)
        links.push({ a: edges + pod * half + e, b: aggregations + pod * half + a, speed: 1 });
    for (let a = 0; a < half; ++a)
      for (let c = 0; c < half; ++c)
        links.push({ a: aggregations + pod * half + a, b: cores + a * half + c, speed: 1 });
  }
  return {
    name: `fat-tree(${p})`,
    N,
    k: 1,
    layers: ["hosts", "edge", "aggregation", "core"],
    nodes,
    links,
  };
}

/** The links of a shortest way, up before down, chosen by the target where there are several. */
function path(wiring: Wiring, from: number, to: number): [link: number, forth: boolean][] {
  const before = new Map<number, [node: number, link: number]>([[from, [-1, -1]]]);
  const queue = [from];
  for (let at = queue.shift(); at !== undefined && !before.has(to); at = queue.shift()) {
    const around = wiring.links!.flatMap((link, i) =>
      link.a === at || link.b === at ? [[link.a === at ? link.b : link.a, i]] : [],
    );
    const turn = to % Math.max(around.length, 1);
    for (const [next, link] of [...around.slice(turn), ...around.slice(0, turn)]) {
      if (before.has(next) || (wiring.nodes![next].layer === 0 && next !== to)) continue;
      before.set(next, [at, link]);
      queue.push(next);
    }
  }
  const way: [number, boolean][] = [];
  for (let at = to; at !== from; at = before.get(at)![0])
    way.unshift([before.get(at)![1], wiring.links![before.get(at)![1]].b === at]);
  return way;
}

/** From the sends of each step, what every cable carries. */
export function plan(wiring: Wiring, algorithm: string, bytes: number, sends: PlanStep["sends"][]): PlanDrawing {
  const links = wiring.links!.map(() => ({ ab: 0, ba: 0 }));
  const steps = sends.map((these): PlanStep => {
    const carried = new Map<number, [number, number]>();
    for (const [from, to, amount] of these) {
      for (const [link, forth] of path(wiring, from, to)) {
        const now = carried.get(link) ?? [0, 0];
        now[forth ? 0 : 1] += amount;
        carried.set(link, now);
        links[link][forth ? "ab" : "ba"] += amount;
      }
    }
    return { links: [...carried].map(([link, [ab, ba]]) => [link, ab, ba]), sends: these };
  });
  return { wiring: wiring.name, algorithm, bytes, links, steps };
}

export function ring_sends(N: number, bytes: number): PlanStep["sends"][] {
  return Array.from({ length: 2 * (N - 1) }, () =>
    Array.from({ length: N }, (_, rank) => [rank, (rank + 1) % N, bytes / N]),
  );
}

/** Like BML: in step w every rank sends its neighbours on both levels a piece. */
export function bcube_sends(n: number, k: number, bytes: number): PlanStep["sends"][] {
  const N = n ** k;
  return Array.from({ length: 2 * k }, (_, step) =>
    Array.from({ length: N }, (_, rank) =>
      Array.from({ length: k }, (_, level) =>
        Array.from({ length: n - 1 }, (_, j): [number, number, number] => {
          const digit = Math.floor(rank / n ** level) % n;
          const share = (step % k) + (level % 2) + 1;
          return [rank, rank + (((digit + j + 1) % n) - digit) * n ** level, Math.round(bytes / (k * n ** share))];
        }),
      ).flat(),
    ).flat(),
  );
}

/** A job's iteration: buckets become ready as computing goes on, each a few steps on every lane. */
export function timeline(ranks: number, buckets: number, lanes: number, steps: number, compute: number): Timeline {
  const one = (rank: number): TimelineRank => {
    const late = (rank * 37) % 11;
    const made: TimelineRank["buckets"] = [];
    const transfers: Transfer[] = [];
    let free = 0;
    for (let b = 0; b < buckets; ++b) {
      const ready = compute * (0.35 + (0.65 * (b + 1)) / buckets) + late;
      const start = Math.max(ready, free);
      const lasts = (compute * 0.78) / buckets;
      free = start + lasts;
      made.push({ ready_us: ready, start_us: start, end_us: free });
      for (let lane = 0; lane < lanes; ++lane) {
        for (let step = 0; step < steps; ++step) {
          const posted = start + (lasts * step) / steps;
          const done = posted + (0.86 * lasts) / steps;
          const [next, last] = [(rank + 1) % ranks, (rank + ranks - 1) % ranks];
          transfers.push(
            [b, lane, step, 1, next, lane, 65536, posted, done],
            [b, lane, step, 0, last, lane, 65536, posted + (0.05 * lasts) / steps, done + (0.1 * lasts) / steps],
          );
        }
      }
    }
    return {
      rank,
      start_us: late,
      end_us: free,
      compute_end_us: compute + late,
      buckets: made,
      transfers,
    };
  };
  return {
    iteration: 3,
    warmup: false,
    ranks: Array.from({ length: ranks }, (_, rank) => one(rank)),
  };
}
