import { describe, expect, it } from "vitest";
import type { Reference, Row } from "../src/data";
import { curves_of, speed_up_marks } from "../src/figures/curves";
import { scaling, sizes } from "../src/figures/scaling";
import { log_ticks } from "../src/figures/axes";
import { training } from "../tools/fixture_rows";
import { option_of, plain_row, series_of, view_of } from "./make";

const hosts = (algorithm: string, N: number, gst: number, more: Partial<Row> = {}): Row =>
  plain_row(algorithm, `single-switch(${N})`, gst, { N, bound_us: gst / 2, t_f_us: 100, ...more });

describe("scaling of several workloads", () => {
  const trained = { workload: "resnet50", training: training([100, 100, 100], 60, 2, 99) } as Partial<Row>;
  const view = view_of([
    hosts("ring", 4, 200),
    hosts("ring", 8, 300),
    hosts("bml", 4, 20, trained),
    hosts("bml", 8, 30, trained),
  ]);
  const metrics = (job: string): string[] => {
    const control = scaling.controls(view, { job }).find(({ id }) => id === "metric")!;
    return control.kind === "select" ? control.options.map(({ value }) => value) : [];
  };

  it("offers what the chosen one has", () => {
    expect(metrics("no workload")).toEqual(["GST", "GST in T_F"]);
    expect(metrics("resnet50")[0]).toBe("iteration time");
    expect(series_of(scaling.figure(view, {}), "ring").data.map((one: any) => one.value[1])).toEqual([200, 300]);
  });
});

describe("curves", () => {
  const rows = [
    hosts("ring", 8, 300),
    hosts("ring", 4, 200),
    hosts("bml", 4, 150),
    hosts("bml", 8, 160),
    hosts("ps", 4, 1),
  ];

  it("go along N, in order; one point is none", () => {
    const curves = curves_of(view_of(rows).points, "N");
    expect(curves.map((curve) => [curve.name, curve.points.map((p) => p.row.N)])).toEqual([
      ["ring", [4, 8]],
      ["bml", [4, 8]],
    ]);
  });

  it("have GST in us, and bounds dashed", () => {
    const figure = scaling.figure(view_of(rows), {});
    expect(series_of(figure, "ring").data.map((one: any) => one.value)).toEqual([
      [4, 200],
      [8, 300],
    ]);
    const bounds = option_of(figure).series.filter((one: any) => one.name === "bound");
    expect(bounds.map((one: any) => one.data)).toEqual([
      [
        [4, 100],
        [8, 150],
      ],
      [
        [4, 75],
        [8, 80],
      ],
    ]);
  });

  it("can be in T_F", () => {
    expect(series_of(scaling.figure(view_of(rows), { metric: "GST in T_F" }), "ring").data[1].value).toEqual([8, 3]);
  });

  it("go along S where sizes vary", () => {
    const view = view_of([
      plain_row("ring", "w", 30, { bytes: 4096, workload: "" }),
      plain_row("ring", "w", 10, { bytes: 1024, workload: "" }),
    ]);
    expect(scaling.applies(view)).toBe(false);
    expect(series_of(sizes.figure(view, {}), "w").data.map((one: any) => one.value)).toEqual([
      [1024, 10],
      [4096, 30],
    ]);
  });

  it("keep k apart", () => {
    const cubes = [
      ["bcube(2,2)", 4, 2, 10],
      ["bcube(4,2)", 16, 2, 20],
      ["bcube(2,3)", 8, 3, 30],
      ["bcube(4,3)", 64, 3, 40],
    ] as const;
    const view = view_of(cubes.map(([wiring, N, k, gst]) => plain_row("bml", wiring, gst, { N, k })));
    expect(
      curves_of(view.points, "N").map((curve) => [curve.name, curve.points.map((p) => p.row.gst_us.median)]),
    ).toEqual([
      ["k = 2", [10, 20]],
      ["k = 3", [30, 40]],
    ]);
  });
});

describe("training jobs", () => {
  const job = (schedule: string, N: number, time: number): Row =>
    hosts("ring", N, 5, { schedule, batch: 64, training: training([time], 600, 1, time) });
  const view = view_of([job("wfbp", 4, 1200), job("wfbp", 64, 2400), job("mg-wfbp", 4, 800), job("mg-wfbp", 64, 1000)]);

  it.each([
    ["iteration time", 1000],
    ["speed-up", (64 * 600) / 1000],
    ["efficiency", 60],
  ])("have %s", (metric, value) => {
    expect(series_of(scaling.figure(view, { metric }), "mg-wfbp").data[1].value).toEqual([64, value]);
  });

  it("show a published speed-up under their own times", () => {
    const reference: Reference = {
      id: "M",
      source: "s",
      what: "w",
      unit: "times",
      low: 1.5,
      high: 2,
      experiment: "a-run",
      shows: { kind: "speed-up", schedule: "mg-wfbp", against: "wfbp", N: 64 },
    };
    expect(speed_up_marks(curves_of(view.points, "N"), [reference])).toEqual([
      { N: 64, low: 1200, high: 1600, reference },
    ]);
  });
});

describe("ticks of logarithmic axes", () => {
  it("are round and within", () => {
    expect(log_ticks(3, 70, 2)).toEqual([4, 8, 16, 32, 64]);
    expect(log_ticks(0.8, 2000, 10)).toEqual([1, 10, 100, 1000]);
    expect(log_ticks(0.8, 12, 10)).toEqual([1, 2, 5, 10]);
    expect(log_ticks(2, 3, 10).length).toBeGreaterThan(2);
    expect(log_ticks(1, 2 ** 40, 2).length).toBeLessThanOrEqual(14);
  });
});
