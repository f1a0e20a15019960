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
import { type Point, distinct, is_tainted, place_of } from "../points";
import { type Palette, series_color, series_symbol } from "../theme";
import { number_text, percent_text, size_text, time_text } from "../units";
import { legend_above, log_axis, value_axis } from "./axes";
import { base_option, mark_style, point_tip } from "./common";
import {
  type Along,
  type Curve,
  type Metric,
  along_of,
  bound_of,
  curves_of,
  metric_of,
  speed_up_marks,
} from "./curves";
import { kHollow, meaning } from "./definitions";
import { row_table } from "./row_table";

/** Curves of more points have small marks, which would hide each other. */
const kManyPoints = 300;
const kTimes: Metric[] = ["GST", "iteration time"];

const kAll = "all";
const job_of = (p: Point): string =>
  `${p.row.workload || "no workload"}${p.row.batch === null ? "" : `, batch ${p.row.batch}`}`;

const is_of = (p: Point, job: string): boolean => job === "" || job === kAll || job_of(p) === job;

/** What the reader can choose: the workload, and the metric. Only training jobs have iterations. */
function controls_of(view: View, along: Along, chosen: Choices): Control[] {
  const drawn = curves_of(view.points, along).flatMap((curve) => curve.points);
  const jobs = distinct(drawn.map(job_of));
  const which = jobs.length > 1 ? [select("job", "Workload", [...jobs, kAll])] : [];
  const job = chosen_of(which, chosen, "job");
  const metrics: Metric[] = drawn.some((p) => is_of(p, job) && p.row.training)
    ? ["iteration time", "speed-up", "efficiency", "GST"]
    : ["GST", "GST in T_F"];
  return [...which, select("metric", "Vertical axis", metrics)];
}

/** What the axes show: a metric up, the hosts or the bytes across. */
interface Axes {
  along: Along;
  metric: Metric;
}

function curve_series(curve: Curve, index: number, axes: Axes, palette: Palette, view: View): object {
  const color = series_color(palette, index);
  return {
    type: "line",
    name: curve.name,
    symbol: series_symbol(index),
    symbolSize: curve.points.length > kManyPoints ? 3 : 8,
    lineStyle: { color, width: curve.points.length > kManyPoints ? 1 : 2 },
    itemStyle: { color },
    data: curve.points.map((p) => ({
      value: [along_of(p, axes.along), metric_of(p, axes.metric) ?? NaN],
      itemStyle: mark_style(palette, color, is_tainted(p)),
    })),
    tooltip: {
      formatter: (item: { dataIndex: number }) => point_tip(curve.points[item.dataIndex], view.data.flags),
    },
    z: 3,
  };
}

/** The bounds as dashed lines. Curves that share a bound have one line. */
function bound_series(curves: Curve[], { along, metric }: Axes, palette: Palette): object[] {
  const drawn = new Map<string, number[][]>();
  for (const curve of curves) {
    const line = curve.points.flatMap((p) => {
      const bound = bound_of(p, metric);
      return bound === null ? [] : [[along_of(p, along), bound]];
    });
    if (line.length > 1) drawn.set(JSON.stringify(line.map(([x, y]) => [x, y.toPrecision(8)])), line);
  }
  return [...drawn.values()].map((data) => ({
    type: "line",
    name: "bound",
    data,
    symbol: "none",
    silent: true,
    z: 2,
    lineStyle: { color: palette.bound, type: [5, 4], width: 1.25 },
    itemStyle: { color: palette.bound },
  }));
}

function mark_series(curves: Curve[], view: View, palette: Palette): object[] {
  const marks = speed_up_marks(curves, view.data.references);
  if (marks.length === 0) return [];
  return [
    {
      type: "scatter",
      name: "published",
      symbol: "diamond",
      symbolSize: 13,
      z: 5,
      itemStyle: { color: "transparent", borderColor: palette.ink, borderWidth: 1.75 },
      data: marks.map((mark) => [mark.N, (mark.low + mark.high) / 2]),
      tooltip: {
        formatter: (item: { dataIndex: number }) => {
          const box = document.createElement("div");
          const { reference } = marks[item.dataIndex];
          box.textContent = `${reference.what}: ${range_text(reference)} (${reference.source})`;
          return box;
        },
      },
    },
  ];
}

/** The published number or range in words: "1.78 times", "1.4 to 1.8 times". */
const range_text = ({ low, high, unit }: Reference): string =>
  `${number_text(low, 3)}${high === low ? "" : ` to ${number_text(high, 3)}`} ${unit}`;

const kUnits: Record<Metric, (value: number) => string> = {
  GST: (value) => time_text(value, 3),
  "iteration time": (value) => time_text(value, 3),
  "GST in T_F": (value) => `${number_text(value, 3)}`,
  "speed-up": (value) => number_text(value, 3),
  efficiency: (value) => percent_text(value, 0),
};

function value_axis_of(metric: Metric, values: number[], palette: Palette): object {
  const name = metric === "GST in T_F" ? "GST (T_F)" : metric === "speed-up" ? "speed-up (times one host)" : metric;
  if (metric !== "efficiency" && metric !== "GST in T_F")
    return log_axis(palette, name, "y", values, { text: kUnits[metric] });
  return value_axis(palette, name, "y", {
    min: 0,
    axisLabel: { color: palette.muted, formatter: kUnits[metric] },
  });
}

function along_axis(along: Along, points: Point[], palette: Palette): object {
  const values = points.map((p) => along_of(p, along));
  if (along === "N") return log_axis(palette, "hosts, N", "x", values, { text: (n) => number_text(n), base: 2 });
  return log_axis(palette, "S, gradient bytes per rank", "x", values, { text: (bytes) => size_text(bytes), base: 2 });
}

function chart(curves: Curve[], axes: Axes, view: View): Chart {
  const { along, metric } = axes;
  const all = curves.flatMap((curve) => curve.points);
  const place = place_of(curves.map((curve) => curve.name));
  const values = all.flatMap((p) => [metric_of(p, metric) ?? 0, bound_of(p, metric) ?? 0]);
  const option = (palette: Palette, width: number): EChartsCoreOption => {
    const bounds = bound_series(curves, axes, palette);
    const marks = metric === "iteration time" ? mark_series(curves, view, palette) : [];
    const others = [...(bounds.length ? ["bound"] : []), ...(marks.length ? ["published"] : [])];
    const names = [...distinct(curves.map((curve) => curve.name)), ...others].map((name) => ({ name }));
    const { legend, top } = legend_above(palette, names, width);
    return {
      ...base_option(palette),
      legend,
      grid: { left: 16, right: 28, top, bottom: 44 },
      xAxis: along_axis(along, all, palette),
      yAxis: value_axis_of(metric, values, palette),
      series: [...bounds, ...curves.map((c) => curve_series(c, place(c.name), axes, palette, view)), ...marks],
    };
  };
  return { kind: "chart", height: 430, marks: all.length * 2, option };
}

function meaning_of(metric: Metric, data: ReportData): string {
  switch (metric) {
    case "GST":
      return `${meaning(data, "GST", "bound")} The bound is dashed.`;
    case "GST in T_F":
      return `${meaning(data, "GST", "bound", "T_F")} The bound is dashed.`;
    case "iteration time":
      return `${meaning(data, "iteration")} Median of the measured ones.`;
    case "speed-up":
      return "Speed-up: N × computing time / iteration time, against one host that never synchronizes; every host has its own batch.";
    case "efficiency":
      return "Scaling efficiency: computing time / iteration time, in percent.";
  }
}

function figure_along(view: View, chosen: Choices, along: Along): Figure {
  const controls = controls_of(view, along, chosen);
  const metric = chosen_of(controls, chosen, "metric") as Metric;
  const job = chosen_of(controls, chosen, "job");
  const points = view.points.filter((p) => is_of(p, job));
  const curves = curves_of(points, along).filter((curve) => curve.points.some((p) => metric_of(p, metric) !== null));
  const marks = metric === "iteration time" ? speed_up_marks(curves, view.data.references) : [];
  const drawn = curves.flatMap((curve) => curve.points);
  return {
    title: along === "N" ? "Scaling with the number of hosts" : "Scaling with the size of the gradients",
    definition: `${meaning_of(metric, view.data)} Against ${along === "N" ? "N, the number of hosts" : "S, the gradient bytes per rank"}; logarithmic axes${metric === "efficiency" ? " except for percent" : ""}. ${kHollow}`,
    unit: kTimes.includes(metric)
      ? "µs, ms or s, as the axis says"
      : metric === "efficiency"
        ? "%"
        : metric === "speed-up"
          ? "times one host"
          : "T_F",
    notes: marks.map(
      ({ reference }) =>
        `Diamond: ${reference.what}, ${range_text(reference)} (${reference.source}), from this run's own times.`,
    ),
    picture: chart(curves, { along, metric }, view),
    table: () =>
      row_table(`Scaling along ${along}`, drawn, view.data, drawn.some((p) => p.row.training) ? "both" : "gst"),
  };
}

const family = (id: string, along: Along): Family => ({
  id,
  section: "scaling",
  applies: (view) => curves_of(view.points, along).length > 0,
  controls: (view, chosen) => controls_of(view, along, chosen),
  figure: (view, chosen) => figure_along(view, chosen, along),
});

export const scaling = family("scaling", "N");
export const sizes = family("sizes", "S");
