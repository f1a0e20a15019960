import type { CustomSeriesRenderItemAPI } from "echarts";
import type { EChartsCoreOption } from "echarts/core";
import type { Reference, ReportData } from "../data";
import {
  type Choices,
  type Chart,
  type Control,
  type Family,
  type Figure,
  type View,
  chosen_of,
  select,
} from "../figure";
import { type Point, distinct, grouped, is_tainted, label_of, place_of, varying } from "../points";
import { type Palette, series_color, series_symbol, with_alpha } from "../theme";
import { time_scale } from "../units";
import { category_axis, legend_above, value_axis } from "./axes";
import { base_option, mark_style, point_tip } from "./common";
import { kHollow, meaning } from "./definitions";
import { row_table } from "./row_table";
import { type Shape, custom_series, place_at, polygon, polyline } from "./shapes";

type What = "JCT" | "iteration time";

export const time_of = (point: Point, what: What): number =>
  what === "JCT" ? point.row.training!.jct_us : point.row.training!.iteration_us.median;

const trained = (view: View): Point[] => view.points.filter((p) => p.row.training !== null && p.row.batch !== null);

const job_of = (p: Point): string => `${p.row.workload || "unnamed workload"}, ${p.row.backing}, ${p.run_label}`;

/** Jobs with more than one batch size. */
function jobs(view: View): Map<string, Point[]> {
  const all = grouped(trained(view), job_of);
  return new Map([...all].filter(([, points]) => distinct(points.map((p) => p.row.batch)).length > 1));
}

function controls(view: View): Control[] {
  const names = [...jobs(view).keys()];
  const what = select("what", "Time", ["JCT", "iteration time"]);
  return names.length > 1 ? [select("job", "Job", names), what] : [what];
}

/** A published range as times, from low to high at every batch size. */
export interface Band {
  reference: Reference;
  edges: { batch: number; low: number; high: number }[];
}

/**
 * A published reduction of 18.7 to 56.4 % against `ps` means a time between 43.6 and 81.3 % of what `ps` takes in
 * this run: low = against (1 - high/100), high = against (1 - low/100).
 */
export function bands(points: Point[], references: Reference[], what: What): Band[] {
  return references.flatMap((reference) => {
    const { shows } = reference;
    if (shows.kind !== "jct-reduction") return [];
    const against = points.filter((p) => p.row.algorithm === shows.against && p.run.name === reference.experiment);
    const edges = [...grouped(against, (p) => String(p.row.batch)).values()].map(([p]) => ({
      batch: p.row.batch!,
      low: time_of(p, what) * (1 - reference.high / 100),
      high: time_of(p, what) * (1 - reference.low / 100),
    }));
    return edges.length ? [{ reference, edges: edges.sort((a, b) => a.batch - b.batch) }] : [];
  });
}

export const band_name = ({ reference }: Band): string => {
  const { shows } = reference;
  return shows.kind === "jct-reduction" ? `published: ${shows.algorithm} against ${shows.against}` : "published";
};

/** Across, the batch sizes in their order; up, one kind of time in units of `one` microseconds. */
interface Axes {
  batches: number[];
  what: What;
  one: number;
}

/** A band between low and high. Its first data item draws all of it. */
function band_series(band: Band, { batches, one }: Axes, color: string): object {
  const data = band.edges.map((edge) => [batches.indexOf(edge.batch), edge.low / one, edge.high / one]);
  const render = (api: CustomSeriesRenderItemAPI, { dataIndex }: { dataIndex: number }): Shape[] | null => {
    if (dataIndex !== 0) return null;
    const upper = data.map(([x, , high]) => place_at(api, x, high));
    const lower = data.map(([x, low]) => place_at(api, x, low));
    return [
      polygon([...upper, ...[...lower].reverse()], with_alpha(color, 0.16)),
      polyline(upper, color, 1, [4, 3]),
      polyline(lower, color, 1, [4, 3]),
    ];
  };
  return custom_series(band_name(band), with_alpha(color, 0.35), render, { data, encode: { x: 0, y: [1, 2] }, z: 1 });
}

interface Line {
  name: string;
  index: number;
  points: Point[];
}

function line_series(line: Line, { batches, what, one }: Axes, palette: Palette, data: ReportData): object {
  const color = series_color(palette, line.index);
  const at = batches.map((batch) => line.points.find((p) => p.row.batch === batch));
  return {
    type: "line",
    name: line.name,
    symbol: series_symbol(line.index),
    symbolSize: 9,
    connectNulls: true,
    lineStyle: { color, width: 2 },
    itemStyle: { color },
    data: at.map((p) =>
      p ? { value: time_of(p, what) / one, itemStyle: mark_style(palette, color, is_tainted(p)) } : { value: null },
    ),
    tooltip: {
      formatter: (item: { dataIndex: number }) => point_tip(at[item.dataIndex]!, data.flags),
    },
    z: 3,
  };
}

function chart(points: Point[], found: Band[], what: What, view: View): Chart {
  const batches = distinct(points.map((p) => p.row.batch!)).sort((a, b) => a - b);
  const { unit, one } = time_scale(Math.max(...points.map((p) => time_of(p, what))));
  const axes: Axes = { batches, what, one };
  const color_of = place_of(view.data.runs.flatMap((run) => run.rows.map((row) => row.algorithm)));
  const telling = varying(points, ["algorithm", "wiring", "schedule"]);
  const names = grouped(points, (p) => label_of(p, telling) || p.row.algorithm);
  const lines = [...names].map(([name, these], i): Line => ({
    name,
    index: telling.length > 1 ? i : color_of(these[0].row.algorithm),
    points: these,
  }));
  const entries = [
    ...lines.map((line) => ({ name: line.name })),
    ...found.map((band) => ({ name: band_name(band), icon: "rect" })),
  ];
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, entries, width).legend,
    grid: { left: 16, right: 28, top: legend_above(palette, entries, width).top, bottom: 44 },
    xAxis: category_axis(palette, batches.map(String), {
      name: "batch size (samples per host and iteration)",
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: { color: palette.muted },
      boundaryGap: batches.length < 3,
    }),
    yAxis: value_axis(palette, `${what} (${unit})`, "y", { min: 0 }),
    series: [
      ...found.map((band, i) => band_series(band, axes, palette.series[(i + 3) % palette.series.length])),
      ...lines.map((line) => line_series(line, axes, palette, view.data)),
    ],
  });
  return { kind: "chart", height: 400, marks: points.length * 2, option };
}

export function jct_figure(view: View, chosen: Choices): Figure {
  const options = controls(view);
  const all = jobs(view);
  const job = chosen_of(options, chosen, "job") || [...all.keys()][0];
  const what = chosen_of(options, chosen, "what") as What;
  const points = all.get(job) ?? [];
  const found = bands(points, view.data.references, what);
  return {
    title: `${what === "JCT" ? "Job completion time" : "Iteration time"} by batch size`,
    definition: `${what === "JCT" ? meaning(view.data, "JCT") : `${meaning(view.data, "iteration")} Median of the measured ones.`} ${kHollow}`,
    unit: "ms or s, as the axis says",
    notes: [
      `Job: ${job}.`,
      ...found.map(
        (band) =>
          `Shaded: ${band_name(band)}, ${band.reference.low}${band.reference.high === band.reference.low ? "" : ` to ${band.reference.high}`} ${band.reference.unit} less, laid under this run's own times (${band.reference.source}).`,
      ),
      ...uneven(points),
    ],
    picture: chart(points, found, what, view),
    table: () => row_table(`Times by batch size: ${job}`, points, view.data, "training"),
  };
}

const uneven = (points: Point[]): string[] =>
  distinct(points.map((p) => p.row.training!.iteration_us.n)).length > 1
    ? ["Rows differ in how many iterations were measured: compare iteration times, not JCT."]
    : [];

export const jct: Family = {
  id: "jct",
  section: "training",
  applies: (view) => jobs(view).size > 0,
  controls,
  figure: jct_figure,
};
