import type { Reference } from "../data";
import { type Point, distinct, grouped, varying, wiring_family } from "../points";

/** What is drawn against N or S. */
export type Metric = "GST" | "GST in T_F" | "iteration time" | "speed-up" | "efficiency";
export type Along = "N" | "S";

export function metric_of(point: Point, metric: Metric): number | null {
  const { row } = point;
  const { training } = row;
  switch (metric) {
    case "GST":
      return row.gst_us.median;
    case "GST in T_F":
      return row.t_f_us > 0 ? row.gst_us.median / row.t_f_us : null;
    case "iteration time":
      return training ? training.iteration_us.median : null;
    case "speed-up":
      return training ? (row.N * training.compute_us) / training.iteration_us.median : null;
    case "efficiency":
      return training ? (100 * training.compute_us) / training.iteration_us.median : null;
  }
}

/** The bound in the metric's terms; only GST has one. */
export function bound_of(point: Point, metric: Metric): number | null {
  if (point.row.bound_us === null) return null;
  return metric === "GST" ? point.row.bound_us : metric === "GST in T_F" ? point.row.bound_us / point.row.t_f_us : null;
}

export const along_of = (point: Point, along: Along): number => (along === "N" ? point.row.N : point.row.bytes);

/** What makes points one curve: all but the number of hosts, or all but the size. */
function curve_key(point: Point, along: Along): string {
  const { row } = point;
  const wiring = along === "N" ? `${wiring_family(row.wiring)}, k = ${row.k}` : row.wiring;
  const rest = along === "N" ? `${row.workload || row.bytes}` : row.workload;
  return JSON.stringify([row.algorithm, wiring, row.schedule, rest, row.batch, row.backing, point.run_index]);
}

export interface Curve {
  name: string;
  points: Point[];
}

/** Curves of at least two points, each along N or S; named by what tells them apart. */
export function curves_of(points: Point[], along: Along): Curve[] {
  const groups = [...grouped(points, (p) => curve_key(p, along)).values()].filter(
    (group) => distinct(group.map((p) => along_of(p, along))).length > 1,
  );
  const drawn = groups.flat();
  if (drawn.length === 0) return [];
  const families = distinct(drawn.map((p) => wiring_family(p.row.wiring)));
  const telling = varying(drawn, ["algorithm", "schedule", "backing", "run"]);
  const several_k = distinct(drawn.map((p) => p.row.k)).length > 1;
  const batches = varying_batches(drawn);
  const name = (p: Point): string => {
    const parts = telling.map((d) => (d === "run" ? p.run_label : p.row[d as "algorithm" | "schedule" | "backing"]));
    if (along === "S" || families.length > 1) parts.push(along === "S" ? p.row.wiring : wiring_family(p.row.wiring));
    if (along === "N" && several_k) parts.push(`k = ${p.row.k}`);
    if (batches) parts.push(`${p.row.workload || p.row.bytes}${p.row.batch === null ? "" : `, batch ${p.row.batch}`}`);
    return parts.join(", ") || p.row.algorithm;
  };
  return groups.map((group) => ({
    name: name(group[0]),
    points: [...group].sort((a, b) => along_of(a, along) - along_of(b, along)),
  }));
}

const varying_batches = (points: Point[]): boolean =>
  distinct(points.map((p) => `${p.row.workload} ${p.row.batch}`)).length > 1;

/** A published speed-up at N, as iteration times: those of `against` divided by it. */
export function speed_up_marks(
  curves: Curve[],
  references: Reference[],
): { N: number; low: number; high: number; reference: Reference }[] {
  return references.flatMap((reference) => {
    const { shows } = reference;
    if (shows.kind !== "speed-up") return [];
    const against = curves
      .flatMap((curve) => curve.points)
      .find(
        (p) =>
          p.row.schedule === shows.against &&
          p.row.N === shows.N &&
          p.run.name === reference.experiment &&
          p.row.training,
      );
    const time = against?.row.training?.iteration_us.median;
    return time === undefined
      ? []
      : [{ N: shows.N, low: time / reference.high, high: time / reference.low, reference }];
  });
}
