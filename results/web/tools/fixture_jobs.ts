import type { Company, JobDrawing } from "../src/job_data";

/** Rank 0 computes for 3 ms and then sums with rank 1, which has waited for it since 1 ms. */
export const pair_job = (): JobDrawing => ({
  name: "pair",
  wiring: "single-switch(2)",
  backing: "emulated",
  dilation: 100,
  algorithms: ["all-reduce(ring)"],
  N: 2,
  took_us: 5000,
  notes: ["Emulated 5 times."],
  streams: [
    { rank: 0, program: "p", stream: 0, nodes: [["work", "compute", 0, 0, 3000, 1]] },
    { rank: 0, program: "p", stream: 1, nodes: [["all-reduce", "all-reduce", 3000, 3000, 5000, 0]] },
    {
      rank: 1,
      program: "p",
      stream: 0,
      nodes: [
        ["compute", "compute", 0, 0, 1000, 0],
        ["sum", "all-reduce", 1000, 3000, 5000, 1],
      ],
    },
  ],
  groups: [
    { name: "both", ranks: 2, calls: 1, busy_us: 3000, exposed_us: 3000, most_exposed_us: 4000 },
    { name: null, ranks: 2, calls: 1, busy_us: 3000, exposed_us: 3000, most_exposed_us: 4000 },
  ],
  path: [
    { rank: 0, node: "work", does: "compute", from_us: 0, to_us: 3000 },
    { rank: 1, node: "sum", does: "all-reduce", from_us: 3000, to_us: 5000 },
  ],
});

/** Two jobs that share an uplink, and one that shares nothing. */
export const neighbours = (): Company => ({
  wiring: "leaf-spine(4,2,1)",
  backing: "simulated",
  notes: [],
  jobs: [
    {
      name: "a",
      ranks: 2,
      alone_us: 9000,
      together_us: 12600,
      slowdown: [null, 1.4, null],
      link: { name: "leaf 0 -> spine 0", needs_us: 6400, own_us: 3200, others: ["b"] },
    },
    {
      name: "b",
      ranks: 2,
      alone_us: 9000,
      together_us: 9000,
      slowdown: [1, null, null],
      link: { name: "leaf 0 -> spine 0", needs_us: 6400, own_us: 3200, others: ["a"] },
    },
    { name: "c", ranks: 4, alone_us: 60000, together_us: 60000, slowdown: [null, null, null], link: null },
  ],
});
