import { type Choices, type Control, type Family, type Figure, type View, chosen_of, select } from "../figure";
import type { Column, Table } from "../table";
import { difference_text } from "../units";
import { flags_text } from "./common";
import { line_chart, parity_chart } from "./compare_charts";
import { meaning } from "./definitions";
import { type Pair, type What, error_of, pairs_of, summary_of } from "./pairs";

function controls(view: View): Control[] {
  const trained = pairs_of(view.points).some((pair) => pair.measured.row.training && pair.simulated.row.training);
  return trained ? [select("what", "Time", ["iteration", "GST"])] : [];
}

const kPercent = { unit: "%", format: (value: number) => difference_text(value).replace(" %", "") };
const kColumns: Column[] = [
  { title: "run" },
  { title: "backing" },
  { title: "wiring" },
  { title: "algorithm" },
  { title: "workload" },
  { title: "batch" },
  { title: "schedule" },
  { title: "S", unit: "B" },
  { title: "measured", unit: "µs" },
  { title: "simulated", unit: "µs" },
  { title: "simulated against measured", ...kPercent },
  { title: "bound of GST", unit: "µs" },
  { title: "flags, measured" },
  { title: "flags, simulated" },
];

function compare_table(pairs: Pair[], what: What): Table {
  return {
    caption: `${what}: measured, simulated and bound`,
    columns: kColumns,
    rows: pairs.map(({ measured, simulated }) => {
      const { row } = measured;
      const [m, s] = [summary_of(row, what).median, summary_of(simulated.row, what).median];
      return [
        measured.run_label,
        row.backing,
        row.wiring,
        row.algorithm,
        row.workload || null,
        row.batch,
        row.schedule,
        row.bytes,
        m,
        s,
        error_of({ measured, simulated }, what),
        row.bound_us,
        flags_text(measured) || null,
        flags_text(simulated) || null,
      ];
    }),
  };
}

export function compare_figure(view: View, chosen: Choices): Figure {
  const what = (chosen_of(controls(view), chosen, "what") || "GST") as What;
  const pairs = pairs_of(view.points).filter(
    (p) => what === "GST" || (p.measured.row.training && p.simulated.row.training),
  );
  const words = what === "GST" ? meaning(view.data, "GST", "bound") : meaning(view.data, "iteration");
  return {
    title: "Measured, simulated and bound side by side",
    definition: `${words} Rows match in everything but the backing, and in whether a program computed or waited; at the right, 100 (simulated / measured − 1).`,
    unit: "µs, ms or s, as the axis says; differences in %",
    notes: [error_note(pairs, what), ...across_note(pairs)],
    picture: pairs.length > 40 ? parity_chart(pairs, what) : line_chart(pairs, what),
    table: () => compare_table(pairs, what),
  };
}

function error_note(pairs: Pair[], what: What): string {
  const errors = pairs.map((pair) => error_of(pair, what));
  const worst = errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  return `The largest difference is ${difference_text(worst)}, of ${pairs.length} compared.`;
}

const across_note = (pairs: Pair[]): string[] =>
  pairs.some((p) => p.measured.run_index !== p.simulated.run_index)
    ? ["Some simulated rows are of another run than the measured ones."]
    : [];

export const compare: Family = {
  id: "compare",
  section: "compare",
  applies: (view) => pairs_of(view.points).length > 0,
  controls,
  figure: compare_figure,
};
