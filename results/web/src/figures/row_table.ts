import type { ReportData } from "../data";
import { type Point, reasons } from "../points";
import type { Cell, Column, Table } from "../table";
import { percent_text } from "../units";

type Entry = [Column, (point: Point) => Cell];

const percent = (title: string): Column => ({
  title,
  unit: "%",
  format: (value) => percent_text(value).replace(" %", ""),
});

const kNames: Entry[] = [
  [{ title: "run" }, (p) => p.run_label],
  [{ title: "backing" }, (p) => p.row.backing],
  [{ title: "wiring" }, (p) => p.row.wiring],
  [{ title: "algorithm" }, (p) => p.row.algorithm],
  [{ title: "workload" }, (p) => p.row.workload || null],
  [{ title: "batch" }, (p) => p.row.batch],
  [{ title: "schedule" }, (p) => p.row.schedule],
  [{ title: "N" }, (p) => p.row.N],
  [{ title: "k" }, (p) => p.row.k],
  [{ title: "S", unit: "B" }, (p) => p.row.bytes],
];

const kGst: Entry[] = [
  [{ title: "GST median", unit: "µs" }, (p) => p.row.gst_us.median],
  [{ title: "interval from", unit: "µs" }, (p) => p.row.gst_us.median_interval?.low ?? null],
  [{ title: "to", unit: "µs" }, (p) => p.row.gst_us.median_interval?.high ?? null],
  [{ title: "p95", unit: "µs" }, (p) => p.row.gst_us.p95],
  [{ title: "p99", unit: "µs" }, (p) => p.row.gst_us.p99],
  [percent("cv"), (p) => p.row.gst_us.cv_percent],
  [{ title: "n" }, (p) => p.row.gst_us.n],
  [{ title: "GST", unit: "T_F" }, (p) => p.row.gst_us.median / p.row.t_f_us],
  [{ title: "bound", unit: "µs" }, (p) => p.row.bound_us],
  [percent("eff"), (p) => (p.row.efficiency === null ? null : 100 * p.row.efficiency)],
  [{ title: "predicted GST", unit: "µs" }, (p) => p.row.predicted_gst_us ?? null],
  [percent("GST prediction off by"), (p) => p.row.prediction_error_percent ?? null],
  [{ title: "algbw", unit: "GB/s" }, (p) => p.row.algbw_gbs],
  [{ title: "busbw", unit: "GB/s" }, (p) => p.row.busbw_gbs],
  [{ title: "nicbw", unit: "GB/s" }, (p) => p.row.nicbw_gbs],
  [{ title: "wrong", unit: "elements" }, (p) => p.row.wrong],
  [{ title: "kept" }, (p) => `${p.row.gst_us.n.toString()}/${p.row.iterations.attempted.toString()}`],
  [{ title: "disturbed" }, (p) => p.row.iterations.disturbed],
  [percent("foreign share"), (p) => (p.row.foreign_share === null ? null : 100 * p.row.foreign_share)],
];

const kTraining: Entry[] = [
  [{ title: "iteration median", unit: "µs" }, (p) => p.row.training?.iteration_us.median ?? null],
  [{ title: "predicted", unit: "µs" }, (p) => p.row.training?.predicted_iteration_us ?? null],
  [percent("prediction off by"), (p) => p.row.training?.prediction_error_percent ?? null],
  [{ title: "compute", unit: "µs" }, (p) => p.row.training?.compute_us ?? null],
  [{ title: "exposed", unit: "µs" }, (p) => p.row.training?.exposed_us ?? null],
  [percent("exposed"), (p) => p.row.training?.exposed_percent ?? null],
  [{ title: "JCT", unit: "µs" }, (p) => p.row.training?.jct_us ?? null],
  [{ title: "iterations" }, (p) => p.row.training?.iteration_us.n ?? null],
  [{ title: "buckets" }, (p) => p.row.training?.buckets.length ?? null],
];

/** Rows with names, GST, flags with their reasons, and, for training jobs, their iterations. */
export function row_table(
  caption: string,
  points: Point[],
  data: ReportData,
  parts: "gst" | "training" | "both",
): Table {
  const entries = [...kNames];
  if (parts !== "gst") entries.push(...kTraining);
  if (parts !== "training") entries.push(...kGst);
  entries.push([{ title: "flags" }, (p) => reasons(p, data.flags).join("; ") || null]);
  const used = entries.filter(([, cell], i) => i < 4 || points.some((point) => cell(point) !== null));
  return {
    caption,
    columns: used.map(([column]) => column),
    rows: points.map((point) => used.map(([, cell]) => cell(point))),
  };
}
