import type { CustomSeriesRenderItemAPI } from "echarts";
import type { EChartsCoreOption } from "echarts/core";
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
import { type Point, distinct, grouped, is_tainted } from "../points";
import { type Palette, series_color } from "../theme";
import { number_text, plural, time_scale } from "../units";
import { category_axis, kTickIcon, legend_above, value_axis } from "./axes";
import { base_option, mark_style, point_tip } from "./common";
import { kHollow, meaning } from "./definitions";
import { type Shape, custom_series, label, numbers_of, place_at, tick } from "./shapes";
import { row_table } from "./row_table";

const job_of = ({ row, run_label }: Point): string =>
  [row.workload, row.batch === null ? "" : `batch ${row.batch}`, row.algorithm, row.wiring, row.backing, run_label]
    .filter(Boolean)
    .join(", ");

/** Jobs that were run with more than one schedule. */
export function scheduled_jobs(view: View): Map<string, Point[]> {
  const all = grouped(
    view.points.filter((p) => p.row.training),
    job_of,
  );
  return new Map([...all].filter(([, points]) => distinct(points.map((p) => p.row.schedule)).length > 1));
}

function controls(view: View): Control[] {
  const names = [...scheduled_jobs(view).keys()];
  return names.length > 1 ? [select("job", "Job", names)] : [];
}

/** Draws the predicted iteration as a tick, and writes the measured one's length at the bar's end. */
function predicted_series(points: Point[], palette: Palette, one: number): object {
  const render = (api: CustomSeriesRenderItemAPI): Shape[] => {
    const [at, predicted, end] = numbers_of(api, 3);
    const [right, y] = place_at(api, Math.max(end, predicted), at);
    const predicted_tick = predicted > 0 ? tick(place_at(api, predicted, at), 14, palette) : [];
    return [...predicted_tick, label(number_text(end), [right + 8, y], palette)];
  };
  const data = points.map(({ row }, i) => [
    i,
    (row.training!.predicted_iteration_us ?? 0) / one,
    row.training!.iteration_us.median / one,
  ]);
  return custom_series("predicted iteration", palette.ink, render, { data, encode: { x: [1, 2], y: 0 }, z: 5 });
}

/** One part of all iterations: its name, its colour's place, and how long it is in the chart's unit. */
interface Part {
  name: string;
  index: number;
  value: (p: Point) => number;
}

function part_series({ name, index, value }: Part, points: Point[], palette: Palette, view: View): object {
  const color = series_color(palette, index);
  return {
    type: "bar",
    name,
    stack: "iteration",
    barMaxWidth: 22,
    itemStyle: { color },
    data: points.map((p) => ({
      value: value(p),
      itemStyle: mark_style(palette, color, is_tainted(p)),
    })),
    tooltip: {
      formatter: (item: { dataIndex: number }) => point_tip(points[item.dataIndex], view.data.flags),
    },
  };
}

function chart(points: Point[], view: View): Chart {
  const { unit, one } = time_scale(Math.max(...points.map((p) => p.row.training!.iteration_us.median)));
  const names = points.map((p) => `${p.row.schedule}\n${plural(p.row.training!.buckets.length, "bucket")}`);
  const entries = [
    { name: "computing" },
    { name: "exposed communication" },
    { name: "predicted iteration", icon: kTickIcon },
  ];
  const parts: Part[] = [
    { name: "computing", index: 0, value: (p) => p.row.training!.compute_us / one },
    { name: "exposed communication", index: 1, value: (p) => p.row.training!.exposed_us / one },
  ];
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, entries, width, { mark: true, fixed: true }).legend,
    grid: {
      left: 8,
      right: 58,
      top: legend_above(palette, entries, width, { mark: true }).top,
      bottom: 44,
    },
    xAxis: value_axis(palette, `time of one iteration (${unit})`, "x", { min: 0 }),
    yAxis: category_axis(palette, names, {
      inverse: true,
      axisLabel: { color: palette.ink, interval: 0, lineHeight: 14 },
    }),
    series: [...parts.map((part) => part_series(part, points, palette, view)), predicted_series(points, palette, one)],
  });
  return { kind: "chart", height: points.length * 42 + 84, marks: points.length * 4, option };
}

export function schedules_figure(view: View, chosen: Choices): Figure {
  const jobs = scheduled_jobs(view);
  const job = chosen_of(controls(view), chosen, "job") || [...jobs.keys()][0];
  const points = jobs.get(job) ?? [];
  return {
    title: "Schedules: what an iteration is spent on",
    definition:
      `An iteration is computing and the communication that it does not hide. ${meaning(view.data, "exposed")} ` +
      `The tick is the iteration predicted before the job began; the number, the measured median. ${kHollow}`,
    unit: "ms or s, as the axis says",
    notes: [`Job: ${job}.`],
    picture: chart(points, view),
    table: () => row_table(`Schedules: ${job}`, points, view.data, "training"),
  };
}

export const schedules: Family = {
  id: "schedules",
  section: "training",
  applies: (view) => scheduled_jobs(view).size > 0,
  controls,
  figure: schedules_figure,
};
