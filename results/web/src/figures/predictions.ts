import type { PredictionPair, Predictions } from "../data";
import { type Choices, type Control, type Family, type Figure, type View, chosen_of, select } from "../figure";
import type { Point } from "../points";
import type { Column, Table } from "../table";
import { difference_text } from "../units";
import { meaning } from "./definitions";
import { error_chart, prediction_chart } from "./predictions_charts";

/** A pair with its row. */
export interface PredictedPoint {
  pair: PredictionPair;
  point: Point;
  predicted_us: number;
  off_percent: number; // 100 (predicted / measured - 1)
}

/** The pairs whose rows the reader's filters leave. */
export function predicted_in(view: View): PredictedPoint[] {
  const shown = new Map(view.points.map((point) => [point.row, point]));
  return (view.data.predictions?.pairs ?? []).flatMap((pair) => {
    const point = shown.get(view.data.runs[pair.run].rows[pair.row]);
    const predicted_us = point?.row.predicted_gst_us ?? null;
    const off_percent = point?.row.prediction_error_percent ?? null;
    return point && predicted_us !== null && off_percent !== null ? [{ pair, point, predicted_us, off_percent }] : [];
  });
}

export const counts = ({ pair }: PredictedPoint): boolean => pair.left_out_for.length === 0;

const kPairs = "predicted against measured";
const error_by = (shared: string): string => `error by ${shared}`;

/** What pairs share, in the order of the document. */
const shared_in = (predictions: Predictions): string[] => [...new Set(predictions.groups.map((group) => group.shared))];

const controls = (view: View): Control[] => [
  select("what", "Show", [kPairs, ...shared_in(view.data.predictions!).map(error_by)]),
];

const kPercent = { unit: "%", format: (value: number) => difference_text(value).replace(" %", "") };
const kPairColumns: Column[] = [
  ...["run", "wiring", "algorithm", "size", "rate", "transport", "schedule"].map((title) => ({ title })),
  { title: "predicted", unit: "µs" },
  { title: "measured", unit: "µs" },
  { title: "predicted against measured", ...kPercent },
  { title: "left out for" },
  { title: "flags" },
  { title: "key" },
];

function pair_table(pairs: PredictedPoint[]): Table {
  const named = kPairColumns.slice(1, 7).map((column) => column.title);
  return {
    caption: "GST as predicted and as measured",
    columns: kPairColumns,
    rows: pairs.map(({ pair, point, predicted_us, off_percent }) => [
      point.run_label,
      ...named.map((name) => pair.values[name]),
      predicted_us,
      point.row.gst_us.median,
      off_percent,
      pair.left_out_for.join(" ") || null,
      point.row.flags.join(" ") || null,
      point.row.key,
    ]),
  };
}

function group_table(predictions: Predictions, shared: string): Table {
  return {
    caption: `Errors of pairs with the same ${shared}`,
    columns: [
      { title: shared },
      { title: "pairs" },
      { title: "count" },
      { title: "median", unit: "%" },
      { title: "95th percentile", unit: "%" },
      { title: "largest", ...kPercent },
      { title: "outliers" },
    ],
    rows: predictions.groups
      .filter((group) => group.shared === shared)
      .map(({ value, errors }) => [
        value,
        errors.pairs,
        errors.counted,
        errors.median_percent,
        errors.p95_percent,
        errors.largest_percent,
        errors.outliers,
      ]),
  };
}

/** Of the whole document, whatever the reader's filters leave. */
const notes_of = (predictions: Predictions, pairs: PredictedPoint[]): string[] => [
  predictions.sentence,
  ...(pairs.length < predictions.pairs.length ? [`${pairs.length} of these pairs are shown.`] : []),
];

const kHollow = "Hollow: the machine or calibration had flagged the row, and the pair does not count.";

export function predictions_figure(view: View, chosen: Choices): Figure {
  const predictions = view.data.predictions!;
  const pairs = predicted_in(view);
  const what = chosen_of(controls(view), chosen, "what");
  const notes = notes_of(predictions, pairs);
  const shared = shared_in(predictions).find((one) => error_by(one) === what);
  if (shared === undefined) {
    return {
      title: "Predicted before it was measured",
      definition: `${meaning(view.data, "GST")} Pairs that agree lie on the diagonal. ${kHollow}`,
      unit: "µs, ms or s, as the axes say",
      notes,
      picture: prediction_chart(pairs),
      table: () => pair_table(pairs),
    };
  }
  return {
    title: `How far predictions are off, by ${shared}`,
    definition: `100 (predicted / measured − 1) of GST, a dot for each pair; shaded: within ${predictions.band_percent} %. ${kHollow}`,
    unit: "%",
    notes,
    picture: error_chart(pairs, predictions, shared),
    table: () => group_table(predictions, shared),
  };
}

export const predictions: Family = {
  id: "predictions",
  section: "compare",
  applies: (view) => predicted_in(view).length > 0,
  controls,
  figure: predictions_figure,
};
