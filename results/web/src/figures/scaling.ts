import type { EChartsCoreOption } from "echarts/core";
import type { Reference } from "../data";
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
import { type Point, distinct, grouped, is_tainted, place_of, varying, wiring_family } from "../points";
import { type Palette, series_color, series_symbol } from "../theme";
import { number_text, percent_text, size_text, time_text } from "../units";
import { legend_above, log_axis, value_axis } from "./axes";
import { base_option, mark_style, point_tip } from "./common";
import { kBound, kGst, kHollow } from "./definitions";
import { row_table } from "./row_table";

/** What is drawn against N or S. */
export type Metric = "GST" | "GST in T_F" | "iteration time" | "speed-up" | "efficiency";
type Along = "N" | "S";

/** Of one curve; their marks would hide each other. */
const kManyPoints = 300;
const kTimes: Metric[] = ["GST", "iteration time"];

export function metric_of(point: Point, metric: Metric): number | null {
  const { row } = point;
  const { training } = row;
  switch (metric) {
    case "GST":
      return row.gst_us.median;
    case "GST in T_F":
      return row.gst_us.median / row.t_f_us;
    case "iteration time":
      return training ? training.iteration_us.median : null;
    case "speed-up":
      return training ? (row.N * training.compute_us) / training.iteration_us.median : null;
    case "efficiency":
      return training ? (100 * training.compute_us) / training.iteration_us.median : null;
  }
}

/** The bound in the metric's terms; only GST has one. */
function bound_of(point: Point, metric: Metric): number | null {
  if (point.row.bound_us === null) return null;
  return metric === "GST" ? point.row.bound_us : metric === "GST in T_F" ? point.row.bound_us / point.row.t_f_us : null;
}

const along_of = (point: Point, along: Along): number => (along === "N" ? point.row.N : point.row.bytes);

/** What makes points one curve: all but the number of hosts, or all but the size. */
function curve_key(point: Point, along: Along): string {
  const { row } = point;
  const wiring = along === "N" ? `${wiring_family(row.wiring)}, k = ${row.k}` : row.wiring;
  const rest = along === "N" ? `${row.workload || row.bytes}` : row.workload;
  return JSON.stringify([row.algorithm, wiring, row.schedule, rest, row.batch, row.backing, point.run_index]);
}

export interface Curve {
  name: string;
  points: Point[];
}

/** Curves of at least two points, each along N or S; named by what tells them apart. */
export function curves_of(points: Point[], along: Along): Curve[] {
  const groups = [...grouped(points, (p) => curve_key(p, along)).values()].filter(
    (group) => distinct(group.map((p) => along_of(p, along))).length > 1,
  );
  const drawn = groups.flat();
  if (drawn.length === 0) return [];
  const families = distinct(drawn.map((p) => wiring_family(p.row.wiring)));
  const telling = varying(drawn, ["algorithm", "schedule", "backing", "run"]);
  const several_k = distinct(drawn.map((p) => p.row.k)).length > 1;
  const batches = varying_batches(drawn);
  const name = (p: Point): string => {
    const parts = telling.map((d) => (d === "run" ? p.run_label : p.row[d as "algorithm" | "schedule" | "backing"]));
    if (along === "S" || families.length > 1) parts.push(along === "S" ? p.row.wiring : wiring_family(p.row.wiring));
    if (along === "N" && several_k) parts.push(`k = ${p.row.k}`);
    if (batches) parts.push(`${p.row.workload || p.row.bytes}${p.row.batch === null ? "" : `, batch ${p.row.batch}`}`);
    return parts.join(", ") || p.row.algorithm;
  };
  return groups.map((group) => ({
    name: name(group[0]),
    points: [...group].sort((a, b) => along_of(a, along) - along_of(b, along)),
  }));
}

const varying_batches = (points: Point[]): boolean =>
  distinct(points.map((p) => `${p.row.workload} ${p.row.batch}`)).length > 1;

const kAll = "all";
const job_of = (p: Point): string =>
  `${p.row.workload || "no workload"}${p.row.batch === null ? "" : `, batch ${p.row.batch}`}`;

function controls_of(view: View, along: Along): Control[] {
  const drawn = curves_of(view.points, along).flatMap((curve) => curve.points);
  const jobs = distinct(drawn.map(job_of));
  const metrics: Metric[] = drawn.some((p) => p.row.training)
    ? ["iteration time", "speed-up", "efficiency", "GST"]
    : ["GST", "GST in T_F"];
  const metric = select("metric", "Vertical axis", metrics);
  return jobs.length > 1 ? [select("job", "Workload", [...jobs, kAll]), metric] : [metric];
}

/** A published speed-up at N, as iteration times: those of `against` divided by it. */
export function speed_up_marks(
  curves: Curve[],
  references: Reference[],
): { N: number; low: number; high: number; reference: Reference }[] {
  return references.flatMap((reference) => {
    const { shows } = reference;
    if (shows.kind !== "speed-up") return [];
    const against = curves
      .flatMap((curve) => curve.points)
      .find(
        (p) =>
          p.row.schedule === shows.against &&
          p.row.N === shows.N &&
          p.run.name === reference.experiment &&
          p.row.training,
      );
    const time = against?.row.training?.iteration_us.median;
    return time === undefined
      ? []
      : [{ N: shows.N, low: time / reference.high, high: time / reference.low, reference }];
  });
}

function curve_series(curve: Curve, index: number, along: Along, metric: Metric, palette: Palette, view: View): object {
  const color = series_color(palette, index);
  return {
    type: "line",
    name: curve.name,
    symbol: series_symbol(index),
    symbolSize: curve.points.length > kManyPoints ? 3 : 8,
    lineStyle: { color, width: curve.points.length > kManyPoints ? 1 : 2 },
    itemStyle: { color },
    data: curve.points.map((p) => ({
      value: [along_of(p, along), metric_of(p, metric) ?? NaN],
      itemStyle: mark_style(palette, color, is_tainted(p)),
    })),
    tooltip: {
      formatter: (item: { dataIndex: number }) => point_tip(curve.points[item.dataIndex], view.data.flags),
    },
    z: 3,
  };
}

/** Bounds are drawn once for all curves that share theirs, in ink, dashed. */
function bound_series(curves: Curve[], along: Along, metric: Metric, palette: Palette): object[] {
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

/** "1.78 times", "1.4 to 1.8 times". */
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
  if (metric !== "efficiency" && metric !== "GST in T_F") return log_axis(palette, name, "y", values, kUnits[metric]);
  return value_axis(palette, name, "y", {
    min: 0,
    axisLabel: { color: palette.muted, formatter: kUnits[metric] },
  });
}

function chart(curves: Curve[], along: Along, metric: Metric, view: View): Chart {
  const all = curves.flatMap((curve) => curve.points);
  const place = place_of(curves.map((curve) => curve.name));
  const values = all.flatMap((p) => [metric_of(p, metric) ?? 0, bound_of(p, metric) ?? 0]);
  const option = (palette: Palette, width: number): EChartsCoreOption => {
    const bounds = bound_series(curves, along, metric, palette);
    const marks = metric === "iteration time" ? mark_series(curves, view, palette) : [];
    const names = [
      ...distinct(curves.map((curve) => curve.name)),
      ...(bounds.length ? ["bound"] : []),
      ...(marks.length ? ["published"] : []),
    ];
    const { legend, top } = legend_above(
      palette,
      names.map((name) => ({ name })),
      width,
    );
    const x_axis =
      along === "N"
        ? log_axis(
            palette,
            "hosts, N",
            "x",
            all.map((p) => p.row.N),
            (n) => number_text(n),
            2,
          )
        : log_axis(
            palette,
            "S, gradient bytes per rank",
            "x",
            all.map((p) => p.row.bytes),
            (s) => size_text(s),
            2,
          );
    return {
      ...base_option(palette),
      legend,
      grid: { left: 16, right: 28, top, bottom: 44 },
      xAxis: x_axis,
      yAxis: value_axis_of(metric, values, palette),
      series: [...bounds, ...curves.map((c) => curve_series(c, place(c.name), along, metric, palette, view)), ...marks],
    };
  };
  return { kind: "chart", height: 430, marks: all.length * 2, option };
}

const kMeanings: Record<Metric, string> = {
  GST: `${kGst} ${kBound} It is dashed.`,
  "GST in T_F": `${kGst} In units of T_F = S / line rate. ${kBound} It is dashed.`,
  "iteration time": "Iteration: forward pass to last bucket; median of the measured ones.",
  "speed-up":
    "Speed-up: N × computing time / iteration time, against one host that never synchronizes; every host has its own batch.",
  efficiency: "Scaling efficiency: computing time / iteration time, in percent.",
};

function figure_along(view: View, chosen: Choices, along: Along): Figure {
  const controls = controls_of(view, along);
  const metric = chosen_of(controls, chosen, "metric") as Metric;
  const job = chosen_of(controls, chosen, "job");
  const points = job === "" || job === kAll ? view.points : view.points.filter((p) => job_of(p) === job);
  const curves = curves_of(points, along).filter((curve) => curve.points.some((p) => metric_of(p, metric) !== null));
  const marks = metric === "iteration time" ? speed_up_marks(curves, view.data.references) : [];
  const drawn = curves.flatMap((curve) => curve.points);
  return {
    title: along === "N" ? "Scaling with the number of hosts" : "Scaling with the size of the gradients",
    definition: `${kMeanings[metric]} Against ${along === "N" ? "N, the number of hosts" : "S, the gradient bytes per rank"}; logarithmic axes${metric === "efficiency" ? " except for percent" : ""}. ${kHollow}`,
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
    picture: chart(curves, along, metric, view),
    table: () =>
      row_table(`Scaling along ${along}`, drawn, view.data, drawn.some((p) => p.row.training) ? "both" : "gst"),
  };
}

const family = (id: string, along: Along): Family => ({
  id,
  section: "scaling",
  applies: (view) => curves_of(view.points, along).length > 0,
  controls: (view) => controls_of(view, along),
  figure: (view, chosen) => figure_along(view, chosen, along),
});

export const scaling = family("scaling", "N");
export const sizes = family("sizes", "S");
