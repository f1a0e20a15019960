import type { ReportData, Row, Summary } from "../src/data";
import type { Chart, Figure, View } from "../src/figure";
import { points_of } from "../src/points";
import { palettes } from "../src/theme";
import { document_of } from "../tools/fixture";
import { paired, row, run } from "../tools/fixture_rows";

/** A view of one run called "a-run". */
export const view_of = (rows: Row[], more: Partial<ReportData> = {}): View => {
  const data = document_of([run("a-run", rows)], more);
  return { data, points: points_of(data) };
};

export const view_of_all = (data: ReportData): View => ({ data, points: points_of(data) });

export function plain_row(algorithm: string, wiring: string, gst: number, more: Partial<Row> = {}): Row {
  const made = row({ algorithm, wiring, N: 9, k: 1, gst: [gst], bound: null });
  return paired({ ...made, ...more });
}

export function summary_of(median: number, low: number, high: number): Summary {
  return {
    n: 20,
    median,
    p95: high * 2,
    p99: high * 3,
    mean: median,
    stdev: 1,
    cv_percent: 1,
    min: low / 2,
    max: high * 4,
    median_interval: { low, high, confidence: 0.95 },
  };
}

/** What the page gives to ECharts; fails where the figure has no chart. */
export function option_of(figure: Figure, palette = palettes.light): Record<string, any> {
  const chart = figure.picture as Chart;
  if (chart?.kind !== "chart") throw new Error(`${figure.title} has no chart`);
  return chart.option(palette, 800) as Record<string, any>;
}

export const series_of = (figure: Figure, name: string): any => {
  const found = option_of(figure).series.filter((one: any) => one.name === name);
  if (found.length !== 1) throw new Error(`${found.length} series are called ${name}`);
  return found[0];
};

/** A table's column by its title. */
export function column_of(figure: Figure, title: string): unknown[] {
  const table = figure.table();
  const at = table.columns.findIndex((column) => column.title === title);
  if (at < 0) throw new Error(`no column ${title} in ${table.columns.map((column) => column.title).join(", ")}`);
  return table.rows.map((line) => line[at]);
}
