/** The words of docs/architecture.md, section 5, for the lines under the figures. */
export const kGst =
  "GST: from the moment the last rank's gradient is ready to the moment the last rank can use the result; of a training job, all its buckets' together.";
export const kBound = "The bound is what the most loaded link carries, step after step, at the payload rate.";
export const kInterval = "Whiskers: confidence interval of the median.";
export const kHollow = "Hollow: the row carries a flag.";
export const kExposed = "exposed: what an iteration takes longer than its computing";

export const kGlossary: [string, string][] = [
  ["S", "gradient bytes per rank."],
  ["T_F", "S / line rate."],
  [
    "GST",
    "gradient synchronization time: from the moment the last rank's gradient is ready to the moment the last rank can use the result. Of a training job: all its buckets' together, each from the last rank's start.",
  ],
  ["iteration", "forward pass to last bucket."],
  ["JCT", "job completion time: wall time of all measured iterations, computing included."],
  ["exposed", "communication not hidden by computing: what an iteration takes longer than its computing."],
  ["algbw", "S / GST, in GB/s = 1e9 B/s."],
  ["busbw", "algbw × 2(N − 1)/N."],
  ["nicbw", "busbw / k, for k NICs per host."],
  ["bound", "what the most loaded link carries, step after step, at the payload rate of the link."],
  ["cut", "the time that no all-reduce can beat on the wiring, unless switches add."],
  ["eff", "bound / GST."],
  ["dilation", "an emulated link runs at rate/D and computing takes D times as long; every time here is divided by D."],
];
