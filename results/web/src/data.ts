import type { Company, JobDrawing } from "./job_data";

/**
 * What `gradwire report` puts into the page: one JSON document, made by results/report/page/. The program computes;
 * the page only draws. Times are undilated microseconds (`*_us`), rates 1e9 B/s (`*_gbs`), sizes bytes. What is
 * not known is null. Readers skip fields that they do not know.
 */
export interface ReportData {
  version: 1;
  generated: string; // UTC, "2026-03-01T12:00:05Z"
  program: string; // "gradwire 0.1.0 (commit 0123456789ab; GNU 12.2.0, Release)"
  answer: Answer; // what the page opens with
  predictions: Predictions | null; // null: no row was predicted
  runs: Run[];
  wirings: Record<string, Wiring>; // by name, as rows have it
  plans: PlanDrawing[]; // rows refer to them by index
  timelines: Timeline[]; // the same
  jobs: JobDrawing[]; // what `gradwire job` ran; a job on several backings stands there several times
  companies: Company[]; // what `gradwire jobs` ran, by backing
  references: Reference[];
  flags: Record<string, string>; // what each flag that occurs means
  glossary: { name: string; definition: string }[]; // the words of the page, defined by results/report/metrics/
}

/** What all runs together say, made by results/report/answer/. */
export interface Answer {
  sentence: string;
  comparisons: Comparison[];
}

/** Rows of one run that differ in nothing but what the question asks for. */
export interface Comparison {
  run: number; // into ReportData.runs
  question: "place" | "schedule" | "matrix"; // which algorithm on which wiring; which schedule; which of both
  what: "GST" | "iteration";
  gradients: string; // "lenet5 (12.49 MiB)"
  rows: number[]; // into the run's rows, the least median first, at least two
  names: string[]; // of the rows, in their order
  lead: {
    ratio: number; // the second row's times over the first's
    interval: { low: number; high: number; confidence: number } | null; // of the ratio
    gap: number | null; // between the samples of the two, in the wider of their ranges
    surety: "computed" | "interval" | "apart" | "single" | "spoiled" | "unclear";
    clear: boolean; // computed, interval or apart
  };
  leads: boolean; // the sentence is about it
  sentence: string;
}

/** What was predicted of rows before they were measured, made by results/report/prediction/. */
export interface Predictions {
  sentence: string; // how far all pairs are off
  band_percent: number; // what is farther off is an outlier
  errors: PredictionErrors;
  groups: { shared: string; value: string; errors: PredictionErrors }[]; // shared: "wiring", "algorithm", ...
  pairs: PredictionPair[];
}

/** Of the pairs that count; percentages without their sign, but the largest. Null where none counts. */
export interface PredictionErrors {
  pairs: number;
  counted: number;
  outliers: number;
  median_percent: number | null;
  p95_percent: number | null;
  largest_percent: number | null;
}

/** A row that was predicted. */
export interface PredictionPair {
  run: number; // into ReportData.runs
  row: number; // into the run's rows
  values: Record<string, string>; // by what pairs share
  left_out_for: string[]; // flags of machine and calibration; empty: it counts
}

/** One run folder. `folder` and `name` come from users and may hold anything. */
export interface Run {
  name: string; // the experiment's
  folder: string;
  description: string;
  started: string;
  status: "complete" | "incomplete" | "running";
  problems: string[]; // what could not be read, with file and line
  notes: string[]; // what the page does not show of it, and why
  link: {
    rate_bits_per_s: number | null; // undilated, of a link of speed 1; null: unlimited
    mtu: number;
    headers: boolean;
    startup_us: number; // of every message
    delay_us: number; // along every cable
  };
  dilation: number | null; // null: nothing was emulated
  context: Json; // context.json; of `parts` a line each
  calibration: Json | null; // calibration.json
  verification: Verification | null; // of real hosts, if they were verified
  rows: Row[];
}

/** What ansible/verify.yml had found of the hosts, as hosts.json keeps it. Its texts may hold anything. */
export interface Verification {
  file: string;
  finished: string; // UTC
  wiring: string;
  passed: boolean;
  /** How the hosts were set up: lossless, qos_provider, mtu and more. */
  settings: { [key: string]: null | boolean | number | string };
  checks: { check: string; passed: number; failed: number }[]; // how many, by kind
  failures: string[]; // what is said of those that failed
  ignored: string[]; // in spite of what was measured
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A point on one backing: results.json's row, its samples, and where to look further. */
export interface Row {
  key: string; // the same for the same point in any run
  pair: string; // the same for rows that differ in nothing but backing and point, whatever run they are of
  point: number;
  backing: string; // "emulated", "simulated", "hosts"
  wiring: string;
  algorithm: string;
  workload: string; // "": just so many elements
  batch: number | null;
  schedule: string; // "none": everything is one bucket
  N: number;
  k: number;
  bytes: number;
  elements: number;
  type: string;
  dilation: number;
  t_f_us: number; // S / line rate; 0 where there is no rate
  gst_us: Summary;
  bound_us: number | null;
  algbw_gbs: number;
  busbw_gbs: number;
  nicbw_gbs: number;
  efficiency: number | null; // bound / GST
  predicted_gst_us: number | null; // as the simulator said before it was measured
  prediction_error_percent: number | null;
  latency_us: number | null; // of GST: the software's own, under dilation
  iterations: { attempted: number; warmup: number; earlier: number; disturbed: number };
  foreign_share: number | null; // of the machine, what other programs had
  wiring_cost: WiringCost | null;
  training: Training | null;
  wrong: number | null; // null: not verified
  flags: string[]; // any flag: the point is tainted, drawn hollow
  samples: Samples;
  plan: number | null; // into ReportData.plans
  timeline: number | null; // into ReportData.timelines
}

export interface Summary {
  n: number;
  median: number;
  p95: number;
  p99: number;
  mean: number;
  stdev: number;
  cv_percent: number;
  min: number;
  max: number;
  median_interval: { low: number; high: number; confidence: number } | null;
}

export interface WiringCost {
  cut_us: number; // nothing is faster on this wiring, less bursts and the head start of the row's ranks
  cut: string; // the cables that set it
  switches: number;
  switch_ports: number;
  nics: number;
  cables: number;
  price: number | null;
}

/** What a training job's row has beside its GST. */
export interface Training {
  profile: string; // where its computing times come from
  iteration_us: Summary;
  compute_us: number;
  exposed_us: number;
  exposed_percent: number;
  jct_us: number; // all measured iterations together
  predicted_iteration_us: number | null; // null: nothing was predicted
  prediction_error_percent: number | null;
  buckets: { gst_us: number; bytes?: number; predicted?: { ready_us: number; start_us: number; end_us: number } }[];
}

/**
 * The measured iterations, in order, each a base64 text of little-endian float32. Where a run has too many, every
 * `every`-th is here; the summary is of all.
 */
export interface Samples {
  count: number; // measured in all
  every: number; // 1: all are here
  gst_us: string;
  iteration_us: string | null; // of a training job
  loss: string | null; // of a program that trains a model: before the update, of all ranks' samples
}

/** A wiring as a graph. Layer 0 are the hosts; a BCube's level l is layer l + 1, a Fat-Tree's edge, aggregation and core are 1, 2, 3. */
export interface Wiring {
  name: string;
  N: number;
  k: number;
  layers: string[]; // their names, from layer 0: "hosts", "level 0", ...
  nodes: { name: string; layer: number }[] | null; // null: not drawn; hosts first, by rank
  links: { a: number; b: number; speed: number }[] | null; // node indices; speed 1 is the link rate
}

/** What an algorithm sends over a wiring, per cable. `ab` is from the link's end a to its end b. */
export interface PlanDrawing {
  wiring: string;
  algorithm: string;
  bytes: number; // S
  links: { ab: number; ba: number }[]; // bytes in all, by the wiring's links
  steps: PlanStep[] | null; // null: too many to play
}

/** What step s of all lanes of all ranks sends together; links not named carry nothing. */
export interface PlanStep {
  links: [link: number, ab: number, ba: number][];
  sends: [from: number, to: number, bytes: number][]; // ranks
}

/** One iteration of one row, as every rank had it; microseconds since it began. */
export interface Timeline {
  iteration: number;
  warmup: boolean;
  ranks: TimelineRank[]; // may be the first of many: see N of the row
}

export interface TimelineRank {
  rank: number;
  start_us: number; // gradient ready, or a training job's iteration begun
  end_us: number; // result usable
  compute_end_us: number | null; // of a training job
  buckets: { ready_us: number; start_us: number; end_us: number }[]; // of a training job
  transfers: Transfer[];
}

/** A send or receive of one lane. */
export type Transfer = [
  bucket: number,
  lane: number,
  step: number,
  sends: 0 | 1,
  peer: number,
  port: number,
  bytes: number,
  posted_us: number,
  done_us: number,
];

/** A published number to draw beside an experiment's own, from results/reference/. */
export interface Reference {
  id: string; // "BML-33"
  source: string; // "BML, NeurIPS 2018, section 4.3, Figure 6"
  what: string;
  unit: string;
  low: number;
  high: number; // equal to low for a single number
  experiment: string; // whose runs it belongs to, by name
  shows:
    | { kind: "jct-reduction"; algorithm: string; against: string } // percent: 100 (1 - JCT of / JCT against)
    | { kind: "gst-t_f"; algorithm: string; wiring: string } // GST in units of T_F
    | { kind: "speed-up"; schedule: string; against: string; N: number }; // iteration against / iteration of
}
