import type { ReportData, Run } from "../data";
import type { View } from "../figure";
import { runs_table } from "../figures/overview";
import { distinct, run_labels } from "../points";
import { plural, rate_text, time_text } from "../units";
import { make } from "./dom";
import { table_view } from "./table_view";

/** How many entries a list shows before it folds. */
const kMostOpen = 3;

/** What went wrong while the runs were read, and the runs that are not complete. */
export function problems_of(data: ReportData): string[] {
  const labels = run_labels(data.runs);
  const found = data.runs.flatMap((run, i) => run.problems.map((problem) => `${labels[i]}: ${problem}`));
  const unfinished = data.runs.flatMap((run, i) =>
    run.status === "complete"
      ? []
      : [`${labels[i]}: the run is ${run.status}; its numbers are of what it has measured so far.`],
  );
  return [...found, ...unfinished];
}

function problems_view(data: ReportData): HTMLElement[] {
  const all = problems_of(data).map((problem) => make("li", {}, problem));
  return all.length
    ? [
        make(
          "div",
          { class: "problems", role: "note" },
          make("h3", {}, `${plural(all.length, "problem")} with these runs`),
          make("ul", {}, ...all),
        ),
      ]
    : [];
}

/** What the page does not show of the runs, and why. */
function notes_view(data: ReportData): HTMLElement[] {
  const labels = run_labels(data.runs);
  const notes = data.runs.flatMap((run, i) => run.notes.map((note) => make("li", {}, `${labels[i]}: ${note}`)));
  return notes.length ? [make("ul", { class: "notes run-notes" }, ...notes)] : [];
}

/** Which flags occur, how often, and why such a row is not to be taken as it stands. */
function flags_view(data: ReportData): HTMLElement[] {
  const rows = data.runs.flatMap((run) => run.rows);
  const used = distinct(rows.flatMap((row) => row.flags));
  if (used.length === 0) return [];
  const entries = used.flatMap((flag) => {
    const count = rows.filter((row) => row.flags.includes(flag)).length;
    return [
      make("dt", {}, `${flag}, ${plural(count, "row")}`),
      make("dd", {}, Object.hasOwn(data.flags, flag) ? data.flags[flag] : "not explained"),
    ];
  });
  return [
    make(
      "section",
      { class: "flags", "aria-label": "Flags" },
      make("h3", {}, "Flags: why some marks are hollow"),
      make("dl", {}, ...entries),
    ),
  ];
}

function run_view(run: Run, label: string, folds: boolean): HTMLElement {
  const { link } = run;
  const facts = [
    `Links of ${rate_text(link.rate_bits_per_s)}`,
    link.headers ? `MTU ${link.mtu} B` : "no headers",
    ...(link.startup_us > 0 ? [`start-up ${time_text(link.startup_us)} a message`] : []),
    ...(link.delay_us > 0 ? [`${time_text(link.delay_us)} a cable`] : []),
    run.dilation === null ? "virtual time" : `time dilation ${run.dilation}`,
  ];
  const text = (run.context as { experiment?: { text?: unknown } } | null)?.experiment?.text;
  const file =
    typeof text === "string"
      ? [make("details", {}, make("summary", {}, "Experiment file"), make("pre", { tabindex: "0" }, text))]
      : [];
  const body = [
    make("p", {}, run.description || "No description."),
    make("p", { class: "facts" }, `${facts.join(", ")}.`),
    ...file,
  ];
  return folds
    ? make("details", { class: "run" }, make("summary", {}, label), ...body)
    : make("div", { class: "run" }, make("h3", {}, label), ...body);
}

function glossary_view(data: ReportData): HTMLElement {
  const entries = data.glossary.flatMap(({ name, definition }) => [make("dt", {}, name), make("dd", {}, definition)]);
  return make(
    "details",
    { class: "glossary" },
    make("summary", {}, "Units and definitions"),
    make("dl", {}, ...entries),
  );
}

export function overview_view(view: View): HTMLElement[] {
  const { data } = view;
  const labels = run_labels(data.runs);
  const folds = data.runs.length > kMostOpen;
  const runs = data.runs.map((run, i) => run_view(run, labels[i], folds));
  const list = folds
    ? [make("details", { class: "runs" }, make("summary", {}, "Descriptions of the runs"), ...runs)]
    : runs;
  return [
    ...problems_view(data),
    ...list,
    ...(data.runs.length ? [table_view(runs_table(view))] : []),
    ...notes_view(data),
    ...flags_view(data),
    glossary_view(data),
  ];
}
