import type { PredictionErrors, Predictions, Row, Run } from "../src/data";

const kBand = 5;

/** Of these rows, as the program would find them. */
function errors_of(rows: Row[]): PredictionErrors {
  const counted = rows.filter((row) => !row.flags.includes("disturbed"));
  const errors = counted.map((row) => row.prediction_error_percent!);
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  return {
    pairs: rows.length,
    counted: counted.length,
    outliers: sizes.filter((size) => size > kBand).length,
    median_percent: sizes[sizes.length >> 1] ?? null,
    p95_percent: sizes[Math.ceil(0.95 * sizes.length) - 1] ?? null,
    largest_percent: errors.find((error) => Math.abs(error) === sizes.at(-1)) ?? null,
  };
}

/** Lets every measured row of a run have been predicted, each a little worse than the one before. */
export function sample_predictions(runs: Run[], run: number): Predictions {
  const { rows } = runs[run];
  const places = rows.flatMap((row, i) => (row.backing === "emulated" ? [i] : []));
  places.forEach((place, i) => {
    const row = rows[place];
    row.prediction_error_percent = (i % 2 ? 1 : -1) * (0.4 + 1.1 * i);
    row.predicted_gst_us = row.gst_us.median * (1 + row.prediction_error_percent / 100);
  });
  const predicted = places.map((place) => rows[place]);
  const group = (shared: "wiring" | "algorithm", value: string): Predictions["groups"][number] => ({
    shared,
    value,
    errors: errors_of(predicted.filter((row) => row[shared] === value)),
  });
  const values = (shared: "wiring" | "algorithm"): string[] => [...new Set(predicted.map((row) => row[shared]))].sort();
  return {
    sentence: `${places.length} of ${places.length} pairs count: half of them are off by at most 3.7 %, 95 % of them by at most 5.9 %, and 1 of them by more than 5 %.`,
    band_percent: kBand,
    errors: errors_of(predicted),
    groups: [
      ...values("wiring").map((value) => group("wiring", value)),
      ...values("algorithm").map((value) => group("algorithm", value)),
    ],
    pairs: places.map((row) => ({
      run,
      row,
      values: {
        wiring: rows[row].wiring,
        algorithm: rows[row].algorithm,
        size: "12.49 MiB",
        rate: "40 Gbit/s",
        transport: "tcp",
        schedule: rows[row].schedule,
      },
      left_out_for: [],
    })),
  };
}
