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
import { type Point, distinct, gradients_of, is_tainted, label_of, varying } from "../points";
import { samples } from "../read";
import type { Table } from "../table";
import { type Palette, series_color, series_symbol } from "../theme";
import { time_scale } from "../units";
import { legend_above, value_axis } from "./axes";
import { base_option, point_tip } from "./common";

const trained = (view: View): Point[] => view.points.filter((p) => p.row.samples.loss && p.row.samples.iteration_us);

function controls(view: View): Control[] {
  const groups = distinct(trained(view).map(gradients_of));
  return groups.length > 1 ? [select("gradients", "Gradients", groups)] : [];
}

/**
 * [microseconds that iterations have taken, loss] at the end of each drawn iteration. Of thinned samples each stands
 * for as many as were left out after it.
 */
export function descent(point: Point): [number, number][] {
  const { iteration_us, loss, every } = point.row.samples;
  const times = samples(iteration_us);
  let sum = 0;
  return Array.from(samples(loss), (value, i) => [(sum += every * times[i]), value]);
}

function curves(points: Point[], names: string[], view: View): Chart {
  const lines = points.map(descent);
  const { unit, one } = time_scale(Math.max(...lines.map((line) => line[line.length - 1][0])));
  const entries = names.map((name) => ({ name }));
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, entries, width).legend,
    grid: { left: 16, right: 24, top: legend_above(palette, entries, width).top, bottom: 44 },
    xAxis: value_axis(palette, `time of iterations (${unit})`, "x", { min: 0 }),
    yAxis: value_axis(palette, "loss", "y", { min: 0 }),
    series: points.map((p, i) => {
      const color = series_color(palette, i);
      return {
        type: "line",
        name: names[i],
        symbol: series_symbol(i),
        symbolSize: 5,
        showSymbol: lines[i].length < 60,
        lineStyle: { color, width: 2, type: is_tainted(p) ? [6, 3] : "solid" },
        itemStyle: { color },
        data: lines[i].map(([time, value]) => [time / one, value]),
        tooltip: { formatter: () => point_tip(p, view.data.flags) },
      };
    }),
  });
  return { kind: "chart", height: 430, marks: lines.reduce((sum, line) => sum + line.length, 0), option };
}

function loss_table(points: Point[], names: string[]): Table {
  return {
    caption: "Loss and time",
    columns: [
      { title: "row" },
      { title: "run" },
      { title: "iterations" },
      { title: "time of iterations", unit: "µs" },
      { title: "first loss" },
      { title: "last loss" },
      { title: "flags" },
    ],
    rows: points.map((p, i) => {
      const losses = samples(p.row.samples.loss);
      return [
        names[i],
        p.run_label,
        p.row.samples.count,
        p.row.training?.jct_us ?? null,
        losses[0],
        losses[losses.length - 1],
        p.row.flags.join(" ") || null,
      ];
    }),
  };
}

export function loss_figure(view: View, chosen: Choices): Figure {
  const all = trained(view);
  const group = chosen_of(controls(view), chosen, "gradients") || gradients_of(all[0]);
  const points = all.filter((p) => gradients_of(p) === group);
  const telling = varying(points, ["algorithm", "wiring", "schedule", "backing", "run"]);
  const names = points.map((p) => label_of(p, telling.length ? telling : ["schedule"], ", "));
  const thinned = distinct(points.filter((p) => p.row.samples.every > 1).map((p) => String(p.row.samples.every)));
  return {
    title: "Loss against time",
    definition:
      "The loss of each iteration, mean of all ranks' samples before the update, at the time that iterations have taken " +
      "until then. What lies between iterations, the update among it, is left out. Dashed: the row carries a flag.",
    unit: "ms or s, as the axis says",
    notes: [`Gradients: ${group}.`, ...thinned.map((every) => `Drawn: one iteration in ${every}.`)],
    picture: curves(points, names, view),
    table: () => loss_table(points, names),
  };
}

export const loss: Family = {
  id: "loss",
  section: "training",
  applies: (view) => trained(view).length > 0,
  controls,
  figure: loss_figure,
};
