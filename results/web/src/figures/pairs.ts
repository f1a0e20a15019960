import type { Row, Summary } from "../data";
import { type Point, grouped, is_measured } from "../points";

/** A measured row and the simulated one of the same point. */
export interface Pair {
  measured: Point;
  simulated: Point;
}

/** Everything but the backing: what makes two rows the same point, whatever run they are of. */
const sameness = ({ row, run }: Point): string =>
  JSON.stringify([
    run.link.mtu,
    run.link.headers,
    run.link.startup_us,
    run.link.delay_us,
    row.training?.profile ?? null,
    row.wiring,
    row.algorithm,
    row.workload,
    row.batch,
    row.schedule,
    row.N,
    row.k,
    row.bytes,
    row.type,
    row.t_f_us.toPrecision(6),
  ]);

/** Each measured row with the simulated one of its own run or else of the first run that has it. */
export function pairs_of(points: Point[]): Pair[] {
  const simulated = grouped(
    points.filter((p) => !is_measured(p) && !p.row.flags.includes("outage")),
    sameness,
  );
  return points.filter(is_measured).flatMap((measured) => {
    const same = simulated.get(sameness(measured)) ?? [];
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
