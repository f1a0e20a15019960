import type { CustomSeriesRenderItemAPI } from "echarts";
import type { EChartsCoreOption } from "echarts/core";
import type { Summary } from "../data";
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
import { type Point, distinct, gradients_of, is_tainted, label_of, varying } from "../points";
import { samples } from "../read";
import type { Table } from "../table";
import { type Palette, series_color, series_symbol } from "../theme";
import { number_text, time_scale, time_text } from "../units";
import { kTickIcon, legend_above, strip_axis, value_axis } from "./axes";
import { base_option, interval_of, point_tip, tip } from "./common";
import { meaning } from "./definitions";
import { type Place, type Shape, custom_series, numbers_of, place_at, polygon, tick, whisker } from "./shapes";

type What = "GST" | "iteration";
type Form = "strips" | "cumulative";

/** How many rows one picture shows. Further rows are on further pages. */
const kRowsPerPage = 10;
const kLarge = 2000;
/** How many steps a cumulative curve has at most. More would be finer than a pixel. */
const kMostSteps = 800;

const sampled = (view: View): Point[] =>
  view.points.filter((p) => p.row.samples.count > 1 && p.row.samples.gst_us !== "");

function controls(view: View, chosen: Choices): Control[] {
  const all = sampled(view);
  const groups = distinct(all.map(gradients_of));
  const options: Control[] = groups.length > 1 ? [select("gradients", "Gradients", groups)] : [];
  const group = chosen_of(options, chosen, "gradients") || groups[0];
  const points = all.filter((p) => gradients_of(p) === group);
  const pages = Math.ceil(points.length / kRowsPerPage);
  if (pages > 1)
    options.push(
      select(
        "rows",
        "Rows",
        Array.from({ length: pages }, (_, page) => page_name(page, points.length)),
      ),
    );
  if (points.some((p) => p.row.samples.iteration_us))
    options.push(select("what", "Time", ["iteration", "GST"], "first"));
  options.push(select("shape", "Shape", ["strips", "cumulative"], "first"));
  return options;
}

const page_name = (page: number, count: number): string =>
  `${page * kRowsPerPage + 1} to ${Math.min((page + 1) * kRowsPerPage, count)} of ${count}`;

const texts = (point: Point, what: What): string | null =>
  what === "iteration" ? point.row.samples.iteration_us : point.row.samples.gst_us;
const summary_of = (point: Point, what: What): Summary =>
  what === "iteration" && point.row.training ? point.row.training.iteration_us : point.row.gst_us;

/** Where a sample lies across its strip: spread evenly and always the same, by the golden ratio. */
export const jitter = (index: number): number => (((index * 0.618033988749895) % 1) - 0.5) * 0.56;

/** Steps of the share of samples that are at most as long, thinned to kMostSteps with both ends kept. */
export function cumulative(values: Float32Array): [number, number][] {
  const sorted = Float32Array.from(values).sort();
  const steps = Math.min(sorted.length, kMostSteps);
  return Array.from({ length: steps }, (_, i) => {
    const at = steps === 1 ? 0 : Math.round((i * (sorted.length - 1)) / (steps - 1));
    return [sorted[at], (at + 1) / sorted.length];
  });
}

/** Which times are drawn, in units of `one` microseconds. */
interface Scale {
  what: What;
  one: number;
}

/** Draws the median as an upright stroke, its interval as a bracket below, p99 as a triangle above. */
function summary_marks(points: Point[], { what, one }: Scale, palette: Palette): object {
  const data = points.map((p, i) => {
    const summary = summary_of(p, what);
    return [i, ...[summary.median, ...interval_of(summary), summary.p99].map((value) => value / one)];
  });
  const render = (api: CustomSeriesRenderItemAPI): Shape[] => {
    const [at, median, low, high, p99] = numbers_of(api, 5);
    const place = (value: number, down = 0): Place => {
      const [x, y] = place_at(api, value, at);
      return [x, y + down];
    };
    const [x, y] = place(p99, -10);
    return [
      ...tick(place(median), 14, palette),
      ...(high > low ? whisker(place(low, 15), place(high)[0], 3, palette) : []),
      polygon(
        [
          [x, y],
          [x - 4, y - 7],
          [x + 4, y - 7],
        ],
        palette.ink,
      ),
    ];
  };
  return custom_series("median, its interval, p99", palette.ink, render, {
    data,
    encode: { x: [1, 2, 3, 4], y: 0 },
    z: 6,
  });
}

function strip_series(point: Point, at: number, { what, one }: Scale, palette: Palette, view: View): object {
  const values = samples(texts(point, what));
  const color = series_color(palette, at);
  const hollow = is_tainted(point);
  return {
    type: "scatter",
    name: `row ${at + 1}`,
    symbol: series_symbol(at),
    symbolSize: values.length > 300 ? 3 : values.length > 60 ? 4.5 : 7,
    large: values.length > kLarge,
    itemStyle: hollow
      ? { color: "transparent", borderColor: color, borderWidth: 1 }
      : { color, opacity: values.length > 300 ? 0.45 : 0.75 },
    data: Array.from(values, (value, i) => [value / one, at + jitter(i)]),
    tooltip: {
      formatter: (item: { dataIndex: number }) => {
        const box = point_tip(point, view.data.flags);
        box.prepend(
          tip(`sample ${item.dataIndex * point.row.samples.every}: ${time_text(values[item.dataIndex], 5)}`, []),
        );
        return box;
      },
    },
    z: 3,
  };
}

function strips(points: Point[], names: string[], what: What, view: View): Chart {
  const { unit, one } = time_scale(Math.max(...points.map((p) => summary_of(p, what).max)));
  const lines = Math.max(...names.map((name) => name.split("\n").length));
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, [{ name: "median, its interval, p99", icon: kTickIcon }], width, {
      mark: true,
      fixed: true,
    }).legend,
    grid: { left: 8, right: 24, top: 36, bottom: 44 },
    xAxis: value_axis(palette, `${what} (${unit})`, "x", { scale: true }),
    yAxis: strip_axis(palette, names, width),
    series: [
      ...points.map((p, i) => strip_series(p, i, { what, one }, palette, view)),
      summary_marks(points, { what, one }, palette),
    ],
  });
  const marks = points.reduce((sum, p) => sum + Math.ceil(p.row.samples.count / p.row.samples.every), 0);
  return {
    kind: "chart",
    height: points.length * Math.max(48, lines * 14 + 14) + 84,
    marks,
    option,
  };
}

function curves(points: Point[], names: string[], what: What, view: View): Chart {
  const { unit, one } = time_scale(Math.max(...points.map((p) => summary_of(p, what).max)));
  const entries = names.map((name) => ({ name: name.replaceAll("\n", ", ") }));
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, entries, width).legend,
    grid: { left: 16, right: 24, top: legend_above(palette, entries, width).top, bottom: 44 },
    xAxis: value_axis(palette, `${what} (${unit})`, "x", { scale: true }),
    yAxis: value_axis(palette, "share of iterations at most as long (%)", "y", {
      min: 0,
      max: 100,
    }),
    series: points.map((p, i) => {
      const color = series_color(palette, i);
      const line = cumulative(samples(texts(p, what)));
      return {
        type: "line",
        step: "end",
        name: names[i].replaceAll("\n", ", "),
        symbol: series_symbol(i),
        symbolSize: 6,
        showSymbol: line.length < 60,
        lineStyle: { color, width: 2, type: is_tainted(p) ? [6, 3] : "solid" },
        itemStyle: { color },
        data: line.map(([time, share]) => [time / one, 100 * share]),
        tooltip: { formatter: () => point_tip(p, view.data.flags) },
      };
    }),
  });
  return { kind: "chart", height: 430, marks: points.length * kMostSteps, option };
}

function distribution_table(points: Point[], names: string[], what: What): Table {
  const texts_of = (title: string) => ({ title, unit: "µs" });
  return {
    caption: `Distribution of ${what}`,
    columns: [
      { title: "row" },
      { title: "run" },
      { title: "measured" },
      { title: "drawn" },
      ...["min", "median", "interval from", "to", "mean", "p95", "p99", "max", "stdev"].map(texts_of),
      { title: "cv", unit: "%" },
      { title: "flags" },
    ],
    rows: points.map((p, i) => {
      const s = summary_of(p, what);
      const [low, high] = s.median_interval ? [s.median_interval.low, s.median_interval.high] : [null, null];
      const drawn = samples(texts(p, what)).length;
      return [
        names[i].replaceAll("\n", ", "),
        p.run_label,
        p.row.samples.count,
        drawn,
        s.min,
        s.median,
        low,
        high,
        s.mean,
        s.p95,
        s.p99,
        s.max,
        s.stdev,
        s.cv_percent,
        p.row.flags.join(" ") || null,
      ];
    }),
  };
}

export function distribution_figure(view: View, chosen: Choices): Figure {
  const options = controls(view, chosen);
  const all = sampled(view);
  const group = chosen_of(options, chosen, "gradients") || gradients_of(all[0]);
  const what = (chosen_of(options, chosen, "what") || "GST") as What;
  const same = all.filter((p) => gradients_of(p) === group);
  const page = Math.max(
    0,
    distinct(same.map((_, i) => page_name(Math.floor(i / kRowsPerPage), same.length))).indexOf(
      chosen_of(options, chosen, "rows"),
    ),
  );
  const points = same.slice(page * kRowsPerPage, (page + 1) * kRowsPerPage).filter((p) => texts(p, what));
  const telling = varying(same, ["algorithm", "wiring", "schedule", "backing", "run"]);
  const names = points.map((p) => label_of(p, telling.length ? telling : ["algorithm"], "\n"));
  const shape = chosen_of(options, chosen, "shape") as Form;
  const thinned = points
    .filter((p) => p.row.samples.every > 1)
    .map((p) => `one in ${p.row.samples.every} of ${number_text(p.row.samples.count)}`);
  return {
    title: "Every sample, not only medians",
    definition:
      `${meaning(view.data, what === "GST" ? "GST" : "iteration")} ` +
      (shape === "strips"
        ? "Each mark is one measured iteration; across its strip it is only spread. Upright: the median; bracket: its confidence interval; triangle: p99. Hollow: the row carries a flag."
        : "How many of the iterations took at most so long. Dashed: the row carries a flag."),
    unit: "µs, ms or s, as the axis says",
    notes: [
      `Gradients: ${group}.`,
      ...(thinned.length ? [`Drawn: ${distinct(thinned).join("; ")}. The summaries are of all.`] : []),
    ],
    picture: shape === "strips" ? strips(points, names, what, view) : curves(points, names, what, view),
    table: () => distribution_table(points, names, what),
  };
}

export const distribution: Family = {
  id: "distribution",
  section: "distribution",
  applies: (view) => sampled(view).length > 0,
  controls,
  figure: distribution_figure,
};
