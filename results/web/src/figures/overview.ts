import type { Family, Figure, View } from "../figure";
import { type Point, gradients_of, grouped, is_tainted, run_labels } from "../points";
import type { Table } from "../table";
import { number_text, plural, time_text } from "../units";

/** Which row of those that synchronize the same on the same backing has the least time. */
export interface Headline {
  run: string;
  backing: string;
  gradients: string;
  what: "GST" | "iteration";
  best: Point;
  next: Point;
  ratio: number; // next / best
  clear: boolean; // the intervals of the two do not overlap
}

const summary_of = (point: Point, what: Headline["what"]) =>
  what === "iteration" ? point.row.training!.iteration_us : point.row.gst_us;

function is_clear(best: Point, next: Point, what: Headline["what"]): boolean {
  const [a, b] = [summary_of(best, what), summary_of(next, what)];
  if (best.row.backing === "simulated") return b.median > a.median;
  return a.median_interval !== null && b.median_interval !== null && a.median_interval.high < b.median_interval.low;
}

/** One of each group of at least two rows; tainted rows compete too, and say so. */
export function headlines(points: Point[]): Headline[] {
  const groups = grouped(points, (p) => JSON.stringify([p.run_index, p.row.backing, gradients_of(p), p.row.N]));
  return [...groups.values()].flatMap((group) => {
    const what = group.every((p) => p.row.training) ? "iteration" : "GST";
    const order = [...group].sort((a, b) => summary_of(a, what).median - summary_of(b, what).median);
    const [best, next] = order;
    if (next === undefined) return [];
    return [
      {
        run: best.run_label,
        backing: best.row.backing,
        gradients: gradients_of(best),
        what,
        best,
        next,
        ratio: summary_of(next, what).median / summary_of(best, what).median,
        clear: is_clear(best, next, what),
      },
    ];
  });
}

const name_of = ({ row }: Point): string =>
  `${row.algorithm} on ${row.wiring}${row.schedule === "none" ? "" : `, ${row.schedule}`}`;
const taint_of = (point: Point): string => (is_tainted(point) ? ` (tainted: ${point.row.flags.join(", ")})` : "");

export function headline_text(line: Headline): string {
  const { best, next, what } = line;
  const time = (point: Point): string => time_text(summary_of(point, what).median);
  const second = `${name_of(next)}, ${time(next)}${taint_of(next)}`;
  const compared = !line.clear
    ? `not clearly less than ${second}: the intervals of the medians overlap or are not known`
    : line.ratio < 1.1
      ? `${number_text(100 * (1 - 1 / line.ratio), 2)} % less than the next, ${second}`
      : `${number_text(line.ratio, 3)} times as fast as the next, ${second}`;
  return `${line.gradients}, N = ${best.row.N}, ${line.backing}: least median ${what} ${time(best)} by ${name_of(best)}${taint_of(best)}; ${compared}.`;
}

function headline_table(lines: Headline[]): Table {
  return {
    caption: "The least median time of each comparison",
    columns: [
      { title: "run" },
      { title: "backing" },
      { title: "gradients" },
      { title: "N" },
      { title: "what" },
      { title: "least by" },
      { title: "median", unit: "µs" },
      { title: "next" },
      { title: "its median", unit: "µs" },
      { title: "next / least" },
      { title: "clear" },
      { title: "flags" },
    ],
    rows: lines.map((line) => [
      line.run,
      line.backing,
      line.gradients,
      line.best.row.N,
      line.what,
      name_of(line.best),
      summary_of(line.best, line.what).median,
      name_of(line.next),
      summary_of(line.next, line.what).median,
      line.ratio,
      line.clear ? "yes" : "no",
      line.best.row.flags.join(" ") || null,
    ]),
  };
}

/** So many are written out; all are in the table. */
const kMostLines = 8;

export function headlines_figure(view: View): Figure {
  const lines = headlines(view.points);
  const shown = lines
    .slice(0, kMostLines)
    .map((line) => (view.data.runs.length > 1 ? `${line.run}: ` : "") + headline_text(line));
  return {
    title: "The least time of each comparison",
    definition:
      "Among the rows of a run that synchronize the same gradients between as many hosts, on the same backing: the one with the least median. Clear: the confidence intervals of the two medians do not overlap.",
    unit: "µs, ms or s, as written",
    notes: lines.length > kMostLines ? [...shown, `${lines.length - kMostLines} more are in the table.`] : shown,
    picture: null,
    table: () => headline_table(lines),
  };
}

export function runs_table(view: View): Table {
  const labels = run_labels(view.data.runs);
  return {
    caption: "Runs of this report",
    columns: [
      { title: "run" },
      { title: "folder" },
      { title: "started" },
      { title: "status" },
      { title: "rows" },
      { title: "tainted rows" },
      { title: "dilation" },
      { title: "problems" },
    ],
    rows: view.data.runs.map((run, i) => [
      labels[i],
      run.folder,
      run.started.replace("T", " ").replace("Z", " UTC"),
      run.status,
      run.rows.length,
      run.rows.filter((row) => row.flags.length).length,
      run.dilation,
      run.problems.length ? plural(run.problems.length, "problem") : null,
    ]),
  };
}

export const least: Family = {
  id: "least",
  section: "overview",
  applies: (view) => headlines(view.points).length > 0,
  controls: () => [],
  figure: headlines_figure,
};
