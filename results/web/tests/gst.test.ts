import { describe, expect, it } from "vitest";
import { gst, gst_figure } from "../src/figures/gst";
import { palettes } from "../src/theme";
import { wide } from "../tools/fixture";
import { column_of, option_of, plain_row, series_of, summary_of, view_of, view_of_all } from "./make";

const rows = [
  plain_row("ring", "single-switch(9)", 1, {
    gst_us: summary_of(4684, 4680, 4690),
    bound_us: 4691.5,
    t_f_us: 2000,
    flags: ["burst"],
  }),
  plain_row("bml", "bcube(3,2)", 1, {
    gst_us: summary_of(2351, 2345, 2373),
    bound_us: 2345.5,
    t_f_us: 2000,
  }),
  plain_row("ps", "single-switch(9)", 1, {
    gst_us: summary_of(4705, 4700, 4844),
    bound_us: null,
    t_f_us: 2000,
  }),
  plain_row("bml", "bcube(3,2)", 2332, { backing: "simulated", bound_us: 2345.5, t_f_us: 2000 }),
];
const view = view_of(rows, {
  references: [
    {
      id: "X",
      source: "a paper",
      what: "GST of BML",
      unit: "T_F",
      low: 0.875,
      high: 0.875,
      experiment: "a-run",
      shows: { kind: "gst-t_f", algorithm: "bml", wiring: "bcube(3,2)" },
    },
  ],
});
const figure = gst_figure(view, {});

describe("GST as bars", () => {
  it("groups by wiring, then algorithm, with a series per backing", () => {
    expect(option_of(figure).yAxis.data).toEqual(["ring\nsingle-switch(9)", "ps\nsingle-switch(9)", "bml\nbcube(3,2)"]);
    expect(series_of(figure, "emulated").data.map((one: any) => one.value)).toEqual([4.684, 4.705, 2.351]);
    expect(series_of(figure, "simulated").data.map((one: any) => one.value)).toEqual([null, null, 2.332]);
    expect(option_of(figure).xAxis.name).toBe("GST, median (ms)");
  });

  it("draws intervals and bounds in the axis' unit; a missing bound is none", () => {
    expect(series_of(figure, "bound").data).toEqual([
      [0, 0, 4.684, 4.68, 4.69, 4.6915],
      [1, 0, 4.705, 4.7, 4.844, 0],
      [2, 0, 2.351, 2.345, 2.373, 2.3455],
      [2, 1, 2.332, 2.332, 2.332, 2.3455],
    ]);
  });

  it("draws tainted bars hollow, others filled", () => {
    const [tainted, clean] = series_of(figure, "emulated").data.map((one: any) => one.itemStyle);
    expect([tainted.color, tainted.borderColor]).toEqual([palettes.light.surface, palettes.light.series[0]]);
    expect(clean.color).toBe(palettes.light.series[0]);
  });

  it("marks what was published, in T_F of the row", () => {
    expect(series_of(figure, "published").data).toEqual([[1.75, 2]]);
  });

  it("has all of it in the table, with the reasons of flags", () => {
    expect(column_of(figure, "GST median")).toEqual([4684, 2351, 4705, 2332]);
    expect(column_of(figure, "bound")).toEqual([4691.5, 2345.5, null, 2345.5]);
    expect(column_of(figure, "interval from")).toEqual([4680, 2345, 4700, null]);
    expect(column_of(figure, "flags")[0]).toBe(
      "burst: a shaper's burst is more than 1 % of what the busiest port sends",
    );
  });

  it("says what GST is", () =>
    expect(figure.definition).toContain("from the moment the last rank's gradient is ready"));
});

describe("two rows in one place", () => {
  it("both stay", () => {
    const twice = gst_figure(view_of([plain_row("ring", "w", 1500), plain_row("ring", "w", 1700)]), {});
    expect(series_of(twice, "emulated").data.map((one: any) => one.value)).toEqual([1.5, 1.7]);
  });
});

describe("many rows", () => {
  const many = view_of_all(wide(10_000));

  it("become dots, all of them, tainted ones apart", () => {
    const option = option_of(gst_figure(many, {}));
    const dots = option.series.filter((one: any) => one.name !== "bound");
    expect(dots.reduce((sum: number, one: any) => sum + one.data.length, 0)).toBe(10_000);
    expect(
      dots
        .filter((one: any) => one.itemStyle.color === palettes.light.surface)
        .reduce((sum: number, one: any) => sum + one.data.length, 0),
    ).toBe(1000);
    expect(dots[0].data[0]).toEqual([2 + 2, many.points[3].row.gst_us.median]);
    expect(option.dataZoom).toHaveLength(2);
  });

  it("can still be chosen one size at a time", () => {
    const [control] = gst.controls(many, {});
    expect(control.kind === "select" && control.options[0].value).toBe("all rows");
    const one = gst_figure(many, { gradients: "2 KiB" });
    expect(column_of(one, "S").every((bytes) => bytes === 2048)).toBe(true);
  });
});
