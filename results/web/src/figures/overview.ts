import type { View } from "../figure";
import { run_labels } from "../points";
import type { Table } from "../table";
import { plural } from "../units";

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
