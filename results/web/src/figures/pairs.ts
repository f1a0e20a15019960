import type { Row, Summary } from "../data";
import { type Point, grouped, is_measured } from "../points";

/** A measured row and the simulated one of the same point. */
export interface Pair {
  measured: Point;
  simulated: Point;
}

/** Each measured row with the simulated one of its own run or else of the first run that has it. */
export function pairs_of(points: Point[]): Pair[] {
  const simulated = grouped(
    points.filter((p) => !is_measured(p) && !p.row.flags.includes("outage")),
    (p) => p.row.pair,
  );
  return points.filter(is_measured).flatMap((measured) => {
    const same = simulated.get(measured.row.pair) ?? [];
    const found = same.find((p) => p.run_index === measured.run_index) ?? same[0];
    return found ? [{ measured, simulated: found }] : [];
  });
}

/** 100 (simulated / measured - 1). */
export const error_percent = (measured: number, simulated: number): number => 100 * (simulated / measured - 1);

export type What = "GST" | "iteration";
export const summary_of = (row: Row, what: What): Summary =>
  what === "iteration" && row.training ? row.training.iteration_us : row.gst_us;

/** Of a pair, in the time asked for. */
export const error_of = (pair: Pair, what: What): number =>
  error_percent(summary_of(pair.measured.row, what).median, summary_of(pair.simulated.row, what).median);
