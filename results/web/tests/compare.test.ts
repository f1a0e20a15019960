import { describe, expect, it } from "vitest";
import { compare, compare_figure } from "../src/figures/compare";
import { error_percent, pairs_of } from "../src/figures/pairs";
import { points_of } from "../src/points";
import { document_of } from "../tools/fixture";
import { run } from "../tools/fixture_rows";
import { column_of, option_of, plain_row, series_of, view_of, view_of_all } from "./make";

describe("matching", () => {
  it("takes rows that are the same in all but the backing", () => {
    const rows = [
      plain_row("ring", "w", 4000),
      plain_row("bml", "w", 2000),
      plain_row("ring", "v", 3000),
      plain_row("ring", "w", 4100, { backing: "simulated" }),
      plain_row("ring", "v", 9999, { backing: "simulated", batch: 64 }),
      plain_row("bml", "w", 1900, { backing: "simulated", bytes: 4 }),
    ];
    const pairs = pairs_of(points_of(document_of([run("a", rows)])));
    expect(pairs.map((p) => [p.measured.row.gst_us.median, p.simulated.row.gst_us.median])).toEqual([[4000, 4100]]);
  });

  it("takes its own run's before another's, and says when it had to take another's", () => {
    const simulated = (gst: number) => plain_row("ring", "w", gst, { backing: "simulated" });
    const data = document_of([
      run("a", [simulated(11)]),
      run("b", [plain_row("ring", "w", 10), simulated(12)]),
      run("c", [plain_row("ring", "w", 20)]),
    ]);
    const view = view_of_all(data);
    expect(pairs_of(view.points).map((p) => [p.measured.run_label, p.simulated.row.gst_us.median])).toEqual([
      ["b", 12],
      ["c", 11],
    ]);
    expect(compare_figure(view, {}).notes[1]).toContain("another run");
  });

  it("does not pair links of different rates", () => {
    const rows = [
      plain_row("ring", "w", 10, { t_f_us: 5 }),
      plain_row("ring", "w", 10, { t_f_us: 6, backing: "simulated" }),
    ];
    expect(compare.applies(view_of(rows))).toBe(false);
  });
});

describe("the figure", () => {
  const view = view_of([
    plain_row("ring", "w", 4000, { bound_us: 3900 }),
    plain_row("bml", "w", 2000, { bound_us: 1950, flags: ["burst"] }),
    plain_row("ring", "w", 4100, { backing: "simulated" }),
    plain_row("bml", "w", 1980, { backing: "simulated" }),
  ]);
  const figure = compare_figure(view, {});

  it("has measured, simulated and bound of each", () => {
    expect(series_of(figure, "measured").data.map((one: any) => one.value)).toEqual([
      [4, 0],
      [2, 1],
    ]);
    expect(series_of(figure, "simulated").data.map((one: any) => one.value)).toEqual([
      [4.1, 0],
      [1.98, 1],
    ]);
    expect(series_of(figure, "bound").data.map((one: any) => one.value)).toEqual([
      [3.9, 0],
      [1.95, 1],
    ]);
  });

  it("prints how far they are apart", () => {
    expect(error_percent(4000, 4100)).toBeCloseTo(2.5, 12);
    expect(option_of(figure).yAxis[1].data).toEqual(["+2.5 %", "−1.0 %"]);
    expect(column_of(figure, "simulated against measured")).toEqual([expect.closeTo(2.5, 10), expect.closeTo(-1, 10)]);
    expect(figure.notes[0]).toBe("The largest difference is +2.5 %, of 2 compared.");
  });
});
