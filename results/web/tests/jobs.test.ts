import { describe, expect, it } from "vitest";
import type { Reference, Row } from "../src/data";
import { bands, jct, jct_figure } from "../src/figures/jct";
import { schedules, schedules_figure } from "../src/figures/schedules";
import { points_of } from "../src/points";
import { palettes } from "../src/theme";
import { document_of } from "../tools/fixture";
import { run, training } from "../tools/fixture_rows";
import { column_of, option_of, plain_row, series_of, view_of } from "./make";

/** JCT is `iterations` times `time`. */
const job = (algorithm: string, batch: number, time: number, more: Partial<Row> = {}): Row =>
  plain_row(algorithm, "w", 700, {
    batch,
    training: training([time, time, time], time / 2, 3, time * 1.1),
    ...more,
  });

const published: Reference = {
  id: "P",
  source: "a paper",
  what: "JCT",
  unit: "%",
  low: 20,
  high: 60,
  experiment: "a-run",
  shows: { kind: "jct-reduction", algorithm: "bml", against: "ps" },
};
const rows = [
  job("ps", 256, 2000),
  job("ps", 128, 1000),
  job("bml", 128, 500, { flags: ["burst"] }),
  job("bml", 256, 1500),
];

describe("the published range", () => {
  it("is between (1 - high) and (1 - low) of what it is measured against, at every batch", () => {
    const [band] = bands(points_of(document_of([run("a-run", rows)])), [published], "JCT");
    expect(band.edges).toEqual([
      { batch: 128, low: expect.closeTo(1200), high: expect.closeTo(2400) },
      { batch: 256, low: expect.closeTo(2400), high: expect.closeTo(4800) },
    ]);
  });

  it("is of that experiment only", () => {
    expect(bands(points_of(document_of([run("another", rows)])), [published], "JCT")).toEqual([]);
  });
});

describe("JCT by batch size", () => {
  const figure = jct_figure(view_of(rows, { references: [published] }), {});

  it("has a line per algorithm, in order of the batch", () => {
    expect(option_of(figure).xAxis.data).toEqual(["128", "256"]);
    expect(series_of(figure, "ps").data.map((one: any) => one.value)).toEqual([3, 6]);
    expect(series_of(figure, "bml").data.map((one: any) => one.value)).toEqual([1.5, 4.5]);
    expect(series_of(figure, "bml").data[0].itemStyle.color).toBe(palettes.light.surface);
  });

  it("shades the published range and names its source", () => {
    expect(series_of(figure, "published: bml against ps").data).toEqual([
      [0, expect.closeTo(1.2), expect.closeTo(2.4)],
      [1, expect.closeTo(2.4), expect.closeTo(4.8)],
    ]);
    expect(figure.notes[1]).toContain("20 to 60 % less");
    expect(figure.notes[1]).toContain("a paper");
  });

  it("can show iterations instead", () => {
    expect(
      series_of(jct_figure(view_of(rows), { what: "iteration time" }), "ps").data.map((one: any) => one.value),
    ).toEqual([1, 2]);
  });

  it("needs more than one batch", () => expect(jct.applies(view_of([job("ps", 128, 5)]))).toBe(false));
});

describe("schedules", () => {
  const view = view_of([
    job("ring", 64, 8000, { schedule: "wfbp" }),
    job("ring", 64, 6000, { schedule: "mg-wfbp" }),
    job("ring", 32, 100, { schedule: "wfbp" }),
  ]);
  const figure = schedules_figure(view, {});

  it("stack computing and what is exposed", () => {
    expect(option_of(figure).yAxis.data).toEqual(["wfbp\n3 buckets", "mg-wfbp\n3 buckets"]);
    expect(series_of(figure, "computing").data.map((one: any) => one.value)).toEqual([4, 3]);
    expect(series_of(figure, "exposed communication").data.map((one: any) => one.value)).toEqual([4, 3]);
    expect(series_of(figure, "predicted iteration").data).toEqual([
      [0, expect.closeTo(8.8), 8],
      [1, expect.closeTo(6.6), 6],
    ]);
    expect(column_of(figure, "buckets")).toEqual([3, 3]);
  });

  it("leave out jobs with one schedule", () => expect(schedules.controls(view, {})).toEqual([]));
});
