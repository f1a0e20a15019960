import { describe, expect, it } from "vitest";
import type { PredictionErrors, Predictions, Row } from "../src/data";
import { predictions, predictions_figure } from "../src/figures/predictions";
import { jitter } from "../src/figures/distribution";
import type { View } from "../src/figure";
import { palettes } from "../src/theme";
import { column_of, option_of, plain_row, series_of, view_of } from "./make";

/** A row of so many µs that was predicted to take another number. */
const predicted = (algorithm: string, gst: number, said: number, more: Partial<Row> = {}): Row =>
  plain_row(algorithm, "w", gst, {
    predicted_gst_us: said,
    prediction_error_percent: 100 * (said / gst - 1),
    ...more,
  });

const errors = (pairs: number, counted: number): PredictionErrors => ({
  pairs,
  counted,
  outliers: 1,
  median_percent: 5,
  p95_percent: 10,
  largest_percent: 10,
});

const kRows = [
  plain_row("gloo(ring)", "w", 900),
  predicted("ring", 4000, 4400),
  predicted("bml", 2000, 1960),
  predicted("bml", 1000, 3000, { flags: ["disturbed"] }),
];

const kPredictions: Predictions = {
  sentence: "2 of 3 pairs count.",
  band_percent: 5,
  errors: errors(3, 2),
  groups: [
    { shared: "wiring", value: "w", errors: errors(3, 2) },
    { shared: "algorithm", value: "bml", errors: errors(2, 1) },
    { shared: "algorithm", value: "ring", errors: errors(1, 1) },
  ],
  pairs: [1, 2, 3].map((row) => ({
    run: 0,
    row,
    values: { wiring: "w", algorithm: kRows[row].algorithm, size: "1 MiB", rate: "1 Gbit/s", transport: "tcp" },
    left_out_for: kRows[row].flags,
  })),
};

const view = view_of(kRows, { predictions: kPredictions });

describe("predicted against measured", () => {
  const figure = predictions_figure(view, {});
  const marks = series_of(figure, "pairs").data;

  it("has a mark for every pair, measured at the bottom, hollow where it does not count", () => {
    expect(marks.map((one: any) => one.value)).toEqual([
      [4, 4.4],
      [2, 1.96],
      [1, 3],
    ]);
    const { surface } = palettes.light;
    expect(marks.map((one: any) => one.itemStyle.color === surface)).toEqual([false, false, true]);
  });

  it("says what the program says of all pairs, and what the rows were", () => {
    expect(figure.notes).toEqual(["2 of 3 pairs count."]);
    expect(column_of(figure, "predicted against measured")).toEqual([
      expect.closeTo(10, 9),
      expect.closeTo(-2, 9),
      expect.closeTo(200, 9),
    ]);
    expect(column_of(figure, "left out for")).toEqual([null, null, "disturbed"]);
  });

  it("leaves out what the reader has filtered away, and says so", () => {
    const fewer: View = { ...view, points: view.points.filter((point) => point.row.algorithm !== "ring") };
    const shown = predictions_figure(fewer, {});
    expect(series_of(shown, "pairs").data.length).toBe(2);
    expect(shown.notes[1]).toBe("2 of these pairs are shown.");
  });

  it("is not there where nothing was predicted", () => {
    expect(predictions.applies(view)).toBe(true);
    expect(predictions.applies(view_of(kRows))).toBe(false);
  });
});

describe("errors by what pairs share", () => {
  const by = predictions_figure(view, { what: "error by algorithm" });

  it("has a strip for each value, and every pair's error on its own", () => {
    expect(series_of(by, "pairs").data.map((one: any) => one.value)).toEqual([
      [expect.closeTo(10, 9), 1 + jitter(0)],
      [expect.closeTo(-2, 9), jitter(1)],
      [expect.closeTo(200, 9), jitter(2)],
    ]);
    const { xAxis } = option_of(by);
    expect(xAxis.max).toBeCloseTo(210, 9);
    expect(series_of(by, "pairs").markArea.data).toEqual([[{ xAxis: -5 }, { xAxis: 5 }]]);
  });

  it("has the program's numbers in its table", () => {
    expect(column_of(by, "algorithm")).toEqual(["bml", "ring"]);
    expect(column_of(by, "count")).toEqual([1, 1]);
    expect(column_of(by, "95th percentile")).toEqual([10, 10]);
  });

  it("can be chosen for each of them", () => {
    expect(predictions.controls(view, {})[0]).toMatchObject({
      options: [{ value: "predicted against measured" }, { value: "error by wiring" }, { value: "error by algorithm" }],
    });
  });
});
