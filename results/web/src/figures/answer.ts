import type { Comparison } from "../data";
import type { Family, Figure, Picture, View } from "../figure";
import { type Point, distinct, run_labels } from "../points";
import type { Table } from "../table";
import { entrants_chart, factors_chart } from "./answer_charts";
import { size_text } from "../units";
import { kHollow, kInterval } from "./definitions";
import { gst_figure } from "./gst";
import { matrix_chart } from "./matrix_chart";
import { summary_of } from "./pairs";

/** A comparison with the points of its rows. */
export interface Answered {
  comparison: Comparison;
  points: Point[];
}

/** Those of which the reader's filters leave every row. */
export function answered_in(view: View): Answered[] {
  const shown = new Map(view.points.map((point) => [point.row, point]));
  return view.data.answer.comparisons.flatMap((comparison) => {
    const points = comparison.rows.flatMap((row) => shown.get(view.data.runs[comparison.run].rows[row]) ?? []);
    return points.length === comparison.rows.length ? [{ comparison, points }] : [];
  });
}

/** So many are drawn, and so many sentences are written out; all are in the table. */
const kMostDrawn = 40;
const kMostSentences = 8;

/** "batch 64, N = 9": what tells each comparison from the others. */
function jobs_of(answered: Answered[], view: View): string[] {
  const labels = run_labels(view.data.runs);
  const facts = answered.map(({ comparison, points: [{ row }] }) => [
    row.workload,
    size_text(row.bytes, 4),
    row.batch === null ? "" : `batch ${row.batch}`,
    `N = ${row.N}`,
    { place: row.schedule, schedule: `${row.algorithm} on ${row.wiring}`, matrix: "" }[comparison.question],
    row.backing,
    labels[comparison.run],
  ]);
  const differs = (values: string[]): boolean => distinct(values).length > 1;
  const telling = facts[0]?.map((_, i) => differs(facts.map((one) => one[i]))) ?? [];
  return facts.map((fact) => fact.filter((text, i) => telling[i] && text !== "").join(", "));
}

/** The same, and the winner, where winners differ. */
export function names_of(answered: Answered[], view: View): string[] {
  const winners = answered.map(({ comparison }) => comparison.names[0]);
  const differ = distinct(winners).length > 1;
  return jobs_of(answered, view).map((told, at) =>
    [told, ...(differ || told === "" ? [winners[at]] : [])].filter((line) => line !== "").join("\n"),
  );
}

function answer_table(view: View, answered: Answered[]): Table {
  const labels = run_labels(view.data.runs);
  const titles = ["run", "backing", "gradients", "N", "what", "least by"];
  return {
    caption: "The least median time of each comparison",
    columns: [
      ...titles.map((title) => ({ title })),
      { title: "median", unit: "µs" },
      { title: "next" },
      { title: "its median", unit: "µs" },
      { title: "next / least" },
      { title: "from" },
      { title: "to" },
      { title: "clear" },
      { title: "because" },
      { title: "flags" },
    ],
    rows: answered.map(({ comparison, points }) => {
      const { run, what, gradients, names, lead } = comparison;
      const [least, next] = points.map((point) => point.row);
      return [
        labels[run],
        least.backing,
        gradients,
        least.N,
        what,
        names[0],
        summary_of(least, what).median,
        names[1],
        summary_of(next, what).median,
        lead.ratio,
        lead.interval?.low ?? null,
        lead.interval?.high ?? null,
        lead.clear ? "yes" : "no",
        lead.surety,
        distinct([...least.flags, ...next.flags]).join(" ") || null,
      ];
    }),
  };
}

/** What the sentence is about, as far as the filters leave it. */
function drawn_of(answered: Answered[]): Answered[] {
  const leading = answered.filter(({ comparison }) => comparison.leads);
  return (leading.length ? leading : answered).slice(0, kMostDrawn);
}

/** Whether every comparison has a place and a schedule to choose. */
const are_matrices = (drawn: Answered[]): boolean => drawn.every(({ comparison }) => comparison.question === "matrix");

function picture_of(view: View, drawn: Answered[]): Picture {
  if (are_matrices(drawn)) return matrix_chart(drawn, jobs_of(drawn, view), view.data);
  if (drawn.length === 1) return entrants_chart(drawn[0], view.data);
  return factors_chart(drawn, names_of(drawn, view));
}

const kFactors =
  "A dot for each comparison, named after the least time: how many times as long the next takes. Whiskers: confidence interval. Hollow: not clearly less, or a row carries a flag.";
const kBars = `The rows that were compared: median of the iterations, lower is better. ${kInterval} ${kHollow} Upright stroke: the bound.`;
const kCells =
  "A cell for each algorithm on its wiring and each schedule. The least median is bold; the others are how many times as long they take. Fainter: longer. White: the row carries a flag.";
const kAlone = `Synchronization time; no two rows differ in algorithm, wiring or schedule alone. ${kHollow}`;

function notes_of(answered: Answered[], drawn: number): string[] {
  if (answered.length < 2) return [];
  const more = answered.length - kMostSentences;
  return [
    ...(drawn === kMostDrawn ? [`The first ${kMostDrawn} comparisons are drawn; all are in the table.`] : []),
    ...answered.slice(0, kMostSentences).map(({ comparison }) => comparison.sentence),
    ...(more > 0 ? [`${more} more are in the table.`] : []),
  ];
}

function heading_of(drawn: Answered[]): { title: string; definition: string; unit: string } {
  if (are_matrices(drawn)) {
    return { title: "Which wiring, which algorithm, which schedule", definition: kCells, unit: "1, a ratio of times" };
  }
  if (drawn.length === 1) {
    return { title: "The rows that were compared", definition: kBars, unit: "µs, ms or s, as the axis says" };
  }
  return { title: "How far ahead the least time is", definition: kFactors, unit: "1, a ratio of times" };
}

export function answer_figure(view: View): Figure {
  const answered = answered_in(view);
  const drawn = drawn_of(answered);
  if (drawn.length === 0) {
    const all = gst_figure(view, {});
    return { ...all, title: "What was synchronized, and how fast", definition: kAlone, notes: [] };
  }
  return {
    ...heading_of(drawn),
    notes: notes_of(are_matrices(drawn) ? drawn : answered, drawn.length),
    picture: picture_of(view, drawn),
    table: () => answer_table(view, answered),
  };
}

export const answer: Family = {
  id: "answer",
  section: "answer",
  applies: (view) => view.points.length > 0,
  controls: () => [],
  figure: answer_figure,
};
