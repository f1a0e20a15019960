import type { Json, Run } from "../data";
import type { Family, Figure, View } from "../figure";
import { distinct, grouped, run_labels } from "../points";
import type { Cell, Table } from "../table";
import { kMissing, rate_text, time_text } from "../units";

/** The experiment's file is long and shown by itself. */
const kLeftOut = new Set(["experiment.text"]);
/** More runs than these share a column. */
const kMostColumns = 4;

/** "machine.cpu" -> text, for every leaf; lists of plain values are one text. */
export function flattened(value: Json, prefix = ""): [string, string][] {
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object" || one === null)) return [[prefix, value.map(String).join(" ")]];
    return value.flatMap((one, i) => flattened(one, `${prefix}[${i}]`));
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, one]) => flattened(one, prefix ? `${prefix}.${key}` : key));
  }
  return kLeftOut.has(prefix) ? [] : [[prefix, value === null ? kMissing : String(value)]];
}

function facts_of(run: Run): Map<string, string> {
  const { link } = run;
  return new Map([
    ["link.rate", rate_text(link.rate_bits_per_s)],
    ["link.mtu", `${link.mtu} B${link.headers ? "" : ", headers not counted"}`],
    ["link.startup", time_text(link.startup_us)],
    ["link.delay", time_text(link.delay_us)],
    ["dilation", run.dilation === null ? "nothing was emulated" : String(run.dilation)],
    ...flattened(run.context),
  ]);
}

/** A key a line. Few runs have a column each; of many, a cell lists each value and how many runs have it. */
export function context_table(runs: Run[], labels: string[]): Table {
  const facts = runs.map(facts_of);
  const keys = distinct(facts.flatMap((one) => [...one.keys()]));
  const wide = runs.length <= kMostColumns;
  const rows = keys.map((key): Cell[] => {
    const values = facts.map((one) => one.get(key) ?? kMissing);
    const counts = [...grouped(values, (value) => value)].map(([value, same]): [string, number] => [
      value,
      same.length,
    ]);
    const differs = counts.length > 1 ? "differs" : "";
    if (wide) return runs.length > 1 ? [key, differs, ...values] : [key, ...values];
    return [
      key,
      differs,
      counts.length > 1
        ? counts.map(([value, count]) => `${value} (${count} of ${runs.length} runs)`).join("; ")
        : counts[0][0],
    ];
  });
  const titles = wide ? (runs.length > 1 ? ["between runs", ...labels] : labels) : ["between runs", "value"];
  return {
    caption: "Context of the runs",
    columns: [{ title: "what" }, ...titles.map((title) => ({ title }))],
    rows,
  };
}

export function context_figure(view: View): Figure {
  const labels = run_labels(view.data.runs);
  const shown = new Set(view.points.map((p) => p.run));
  const kept = view.data.runs
    .map((run, i) => ({ run, label: labels[i] }))
    .filter(({ run }) => shown.has(run) || run.rows.length === 0);
  const table = context_table(
    kept.map(({ run }) => run),
    kept.map(({ label }) => label),
  );
  const differing = table.rows.filter((row) => row[1] === "differs").length;
  return {
    title: "Context: program, machine and links",
    definition: "What each run was measured with. A number without it means little.",
    unit: "as written",
    notes:
      kept.length > 1
        ? [
            differing
              ? `${differing} entries differ between the runs; they say so.`
              : "All entries are the same in all runs.",
          ]
        : [],
    picture: null,
    table: () => table,
  };
}

export const context: Family = {
  id: "context",
  section: "context",
  applies: (view) => view.data.runs.length > 0,
  controls: () => [],
  figure: context_figure,
};
