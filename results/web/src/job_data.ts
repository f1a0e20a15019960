/** What the page is given of jobs of many collectives; made by harness/commands/. Times and unknowns as in data.ts. */

/** The last iteration of a job of many collectives on one backing; microseconds since it began. */
export interface JobDrawing {
  name: string; // may hold anything, as all names of jobs
  wiring: string;
  backing: string;
  dilation: number | null; // null: simulated
  algorithms: string[];
  N: number; // ranks of the job; `streams` may be of the first of many
  took_us: number;
  notes: string[]; // how it was measured
  streams: JobStream[]; // by rank, then by number
  groups: JobGroup[]; // as in the job, then all together
  path: { rank: number; node: string; does: string; from_us: number; to_us: number }[]; // the critical path
}

/** Ranks that call collectives together. Times are of the last iteration, on average over these ranks. */
export interface JobGroup {
  name: string | null; // may hold anything; null: all groups together
  ranks: number;
  calls: number;
  busy_us: number; // in any of the calls
  exposed_us: number; // of that, while the rank does not compute
  most_exposed_us: number; // of the rank for which it is longest
}

export interface JobStream {
  rank: number;
  program: string;
  stream: number;
  nodes: JobNode[]; // in order
}

/** A collective waits from its call until the last member has called it, if that is before it ends here. */
export type JobNode = [name: string, does: string, from_us: number, called_us: number, to_us: number, on_path: 0 | 1];

/** Several jobs on one wiring, alone and beside each other, on one backing. */
export interface Company {
  wiring: string;
  backing: string;
  notes: string[]; // how it was measured
  jobs: CompanyJob[];
}

export interface CompanyJob {
  name: string; // may hold anything
  ranks: number;
  alone_us: number; // an iteration
  together_us: number; // with all others
  /** By job: an iteration beside it over one alone; null: the two were not run, or it is the job itself. */
  slowdown: (number | null)[];
  /** Of the links that others use, too, the busiest one: what one iteration of all needs, and this job's part. */
  link: { name: string; needs_us: number; own_us: number; others: string[] } | null;
}
