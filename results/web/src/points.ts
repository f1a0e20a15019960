import type { ReportData, Row, Run } from "./data";
import { number_text, plural, size_text } from "./units";

/** A row with the run that it is of; what all figures are made from. */
export interface Point {
  run: Run;
  run_index: number;
  run_label: string; // unique among the report's runs
  row: Row;
}

export const is_tainted = (point: Point): boolean => point.row.flags.length > 0;
export const is_measured = (point: Point): boolean => point.row.backing !== "simulated";

const last_component = (folder: string): string =>
  folder
    .replace(/[/\\]+$/, "")
    .split(/[/\\]/)
    .pop() ?? folder;

/** An experiment's name; with its folder, and if need be its place in the list, where several have the same. */
export function run_labels(runs: Run[]): string[] {
  const count = (labels: string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    return counts;
  };
  const names = runs.map((run) => run.name || last_component(run.folder) || "unnamed");
  const by_name = count(names);
  const longer = runs.map((run, i) =>
    by_name.get(names[i]) === 1 ? names[i] : `${names[i]}, ${last_component(run.folder)}`,
  );
  const by_longer = count(longer);
  return longer.map((label, i) => (by_longer.get(label) === 1 ? label : `${label} (${i + 1})`));
}

export function points_of(data: ReportData): Point[] {
  const labels = run_labels(data.runs);
  return data.runs.flatMap((run, run_index) =>
    run.rows.map((row) => ({ run, run_index, run_label: labels[run_index], row })),
  );
}

/** "64 KiB", or "42 304 B" where that would be rounded: sizes close to each other stay apart. */
function exact_size(bytes: number): string {
  const short = size_text(bytes);
  return size_text(bytes, 12).replace(/\.0+ /, " ") === short ? short : `${number_text(bytes)} B`;
}

/** "resnet50, 97.5 MiB, batch 64": what is synchronized. Rows with the same can be compared. */
export function gradients_of(point: Point): string {
  const { row } = point;
  const size = row.workload ? `${row.workload}, ${size_text(row.bytes)}` : exact_size(row.bytes);
  const batch = row.batch === null ? "" : `, batch ${row.batch}`;
  const type = row.type === "float32" ? "" : ` ${row.type}`;
  return `${size}${type}${batch}`;
}

/** What tells one point from another, most telling first. */
export type Dimension = "wiring" | "algorithm" | "schedule" | "gradients" | "backing" | "run";
export const kDimensions: Dimension[] = ["algorithm", "wiring", "schedule", "gradients", "backing", "run"];

export function value_of(point: Point, dimension: Dimension): string {
  switch (dimension) {
    case "gradients":
      return gradients_of(point);
    case "run":
      return point.run_label;
    default:
      return point.row[dimension];
  }
}

export function varying(points: Point[], dimensions: Dimension[] = kDimensions): Dimension[] {
  return dimensions.filter((dimension) =>
    points.some((point) => value_of(point, dimension) !== value_of(points[0], dimension)),
  );
}

export const label_of = (point: Point, dimensions: Dimension[], between = ", "): string =>
  dimensions.map((dimension) => value_of(point, dimension)).join(between);

/** In order of first appearance. */
export function grouped<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

export const distinct = <T>(items: T[]): T[] => [...new Set(items)];

/** "high-variance: the coefficient of variation is above 10 %", for each of the row's flags. */
export function reasons(point: Point, meanings: Record<string, string>): string[] {
  return point.row.flags.map((flag) => (Object.hasOwn(meanings, flag) ? `${flag}: ${meanings[flag]}` : flag));
}

/** "bcube" of "bcube(3,2)"; options that are no numbers stay: a hashed Fat-Tree is another family. */
export function wiring_family(wiring: string): string {
  const open = wiring.indexOf("(");
  if (open < 0) return wiring;
  const options = wiring
    .slice(open + 1)
    .replace(/\)$/, "")
    .split(",")
    .map((part) => part.trim());
  const named = options.filter((part) => !/^[\d.]+$/.test(part) && !part.startsWith("seed="));
  return wiring.slice(0, open) + (named.length ? `(${named.join(", ")})` : "");
}

export const count_text = (points: Point[]): string => plural(points.length, "row");

/** The algorithm's place among all of the report, so that it has the same colour in every figure. */
export function place_of(names: string[]): (name: string) => number {
  const places = new Map(distinct(names).map((name, i) => [name, i]));
  return (name) => places.get(name) ?? 0;
}
