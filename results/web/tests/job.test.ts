import { describe, expect, it } from "vitest";
import { company, company_figure } from "../src/figures/company";
import { job, job_figure } from "../src/figures/job";
import { job_groups, job_groups_figure } from "../src/figures/job_groups";
import { tracks_of_job } from "../src/figures/job_tracks";
import { neighbours, pair_job } from "../tools/fixture_jobs";
import { column_of, series_of, view_of } from "./make";

const pair = pair_job();
const view = view_of([], { jobs: [pair, { ...pair, backing: "simulated", dilation: null }] });

describe("a job's tracks", () => {
  const tracks = tracks_of_job(pair, pair.streams);

  it("are the critical path and every stream", () =>
    expect(tracks.names).toEqual(["critical path", "rank 0, stream 0", "rank 0, stream 1", "rank 1, stream 0"]));

  it("tell waiting from what a collective takes", () => {
    const of = (role: string): [number, number, number][] =>
      tracks.spans.filter((span) => span.role === role).map((span) => [span.track, span.from, span.to]);
    expect(of("waits for others")).toEqual([[3, 1000, 3000]]);
    expect(of("collective")).toEqual([
      [2, 3000, 5000],
      [3, 3000, 5000],
    ]);
    expect(of("computing")).toEqual([
      [1, 0, 3000],
      [3, 0, 1000],
    ]);
    expect(of("critical path")).toEqual([
      [0, 0, 3000],
      [0, 3000, 5000],
      [1, 0, 3000],
      [3, 3000, 5000],
    ]);
  });

  it("end with the iteration", () => expect(tracks.end).toBe(5000));
});

describe("a job's figure", () => {
  it("is there for every job and backing", () => {
    expect(job.applies(view)).toBe(true);
    expect(job.applies(view_of([]))).toBe(false);
    const [jobs, ranks] = job.controls(view, {});
    expect(jobs.kind === "select" && jobs.options.map((option) => option.value)).toEqual([
      "pair on single-switch(2), emulated",
      "pair on single-switch(2), simulated",
    ]);
    expect(ranks.kind === "select" && ranks.options.map((option) => option.value)).toEqual(["all", "0", "1"]);
  });

  it("says what the critical path is spent in", () => {
    const { notes } = job_figure(view, {});
    expect(notes[1]).toBe("The iteration took 5 ms. Its critical path: compute 3 ms, all-reduce 2 ms.");
    expect(notes).toContain("Emulated 5 times.");
  });

  it("draws and lists the streams of the rank that was chosen, and the whole path", () => {
    const figure = job_figure(view, { rank: "1" });
    expect(series_of(figure, "computing").data).toEqual([[1, 0, 1]]);
    expect(series_of(figure, "critical path").data).toHaveLength(3);
    expect(column_of(figure, "what")).toEqual([
      "rank 0, work: compute",
      "rank 1, sum: all-reduce",
      "compute",
      "sum: all-reduce, which some rank has not called",
      "sum: all-reduce",
      "sum: all-reduce, on the critical path",
    ]);
  });
});

describe("a job's groups", () => {
  const group = (name: string | null, busy_us: number, exposed_us: number) => ({
    name,
    ranks: 2,
    calls: 1,
    busy_us,
    exposed_us,
    most_exposed_us: exposed_us,
  });

  it("are there where something is called", () => {
    expect(job_groups.applies(view)).toBe(true);
    const idle = { ...pair, groups: [{ ...pair.groups[1], calls: 0, busy_us: 0, exposed_us: 0 }] };
    expect(job_groups.applies(view_of([], { jobs: [idle] }))).toBe(false);
  });

  it("say how long their ranks wait for collectives, and how much of that computing hides", () => {
    const three = { ...pair, groups: [group("a", 4000, 1000), group("b", 6000, 2000), group(null, 9000, 2500)] };
    const figure = job_groups_figure(view_of([], { jobs: [three] }), {});
    expect(series_of(figure, "exposed").data).toEqual([2.5, 2, 1]);
    expect(series_of(figure, "hidden by computing").data).toEqual([6.5, 4, 3]);
    expect(column_of(figure, "group")).toEqual(["all groups", "b", "a"]);
    expect(column_of(figure, "exposed")).toEqual([2500, 2000, 1000]);
  });

  it("stand alone where there is only one", () =>
    expect(column_of(job_groups_figure(view, {}), "group")).toEqual(["both"]));

  it("are drawn up to a number, and listed all", () => {
    const many = Array.from({ length: 50 }, (_, i) => group(`g${i}`, 10 + i, i));
    const figure = job_groups_figure(view_of([], { jobs: [{ ...pair, groups: many }] }), {});
    expect(series_of(figure, "exposed").data).toHaveLength(40);
    expect(figure.notes).toContain("40 of 50 are drawn; the table has all.");
    expect(column_of(figure, "group")).toHaveLength(50);
  });
});

describe("jobs beside each other", () => {
  const together = view_of([], { companies: [neighbours()] });

  it("are there where several jobs were run", () => {
    expect(company.applies(together)).toBe(true);
    expect(company.applies(view)).toBe(false);
  });

  it("have a cell alone, beside each that they were run with, and beside all", () => {
    const figure = company_figure(together, {});
    const cells = series_of(figure, "slowdown").data;
    expect(cells).toEqual([
      [0, 0, 1],
      [2, 0, 1.4],
      [4, 0, 1.4],
      [0, 1, 1],
      [1, 1, 1],
      [4, 1, 1],
      [0, 2, 1],
      [4, 2, 1],
    ]);
    expect(column_of(figure, "beside b")).toEqual([1.4, null, null]);
  });

  it("say which link holds up whom", () =>
    expect(company_figure(together, {}).notes).toEqual([
      "3 jobs on leaf-spine(4,2,1), simulated.",
      "a is held up most at leaf 0 -> spine 0, which it shares with b.",
    ]));
});
