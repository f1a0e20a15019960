import type { EChartsCoreOption } from "echarts/core";
import type { Chart } from "../figure";
import { is_tainted, label_of, varying } from "../points";
import { type Palette, series_color } from "../theme";
import { difference_text, tick_text, time_scale, time_text } from "../units";
import { category_axis, kDashIcon, kTickIcon, legend_above, log_axis, name_labels, value_axis } from "./axes";
import { base_option, flags_text, mark_style, tip } from "./common";
import { type Pair, type What, error_of, error_percent, summary_of } from "./pairs";

function pair_tip(pair: Pair, what: What): HTMLElement {
  const m = summary_of(pair.measured.row, what).median;
  const s = summary_of(pair.simulated.row, what).median;
  const lines: [string, string][] = [
    ["measured", time_text(m)],
    ["simulated", time_text(s)],
    ["simulated against measured", difference_text(error_percent(m, s), 2)],
  ];
  if (what === "GST" && pair.measured.row.bound_us !== null)
    lines.push(["bound", time_text(pair.measured.row.bound_us)]);
  for (const point of [pair.measured, pair.simulated]) {
    if (is_tainted(point)) lines.push([`flags, ${point.row.backing}`, flags_text(point)]);
  }
  return tip(label_of(pair.measured, ["algorithm", "wiring", "schedule", "gradients", "run"]), lines);
}

interface Column {
  name: string;
  index: number;
  symbol: string;
  size: number | number[];
  tainted: (pair: Pair) => boolean;
  value: (pair: Pair) => number | null;
}

function columns_of(what: What): Column[] {
  return [
    {
      name: "measured",
      index: 0,
      symbol: "circle",
      size: 11,
      tainted: (p) => is_tainted(p.measured),
      value: (p) => summary_of(p.measured.row, what).median,
    },
    {
      name: "simulated",
      index: 1,
      symbol: "diamond",
      size: 13,
      tainted: (p) => is_tainted(p.simulated),
      value: (p) => summary_of(p.simulated.row, what).median,
    },
    {
      name: "bound",
      index: -1,
      symbol: "rect",
      size: [2.5, 18],
      tainted: () => false,
      value: (p) => (what === "GST" ? p.measured.row.bound_us : null),
    },
  ];
}

function pair_series(column: Column, pairs: Pair[], what: What, one: number, palette: Palette): object {
  const color = column.index < 0 ? palette.bound : series_color(palette, column.index);
  return {
    type: "scatter",
    name: column.name,
    symbol: column.symbol,
    symbolSize: column.size,
    itemStyle: { color },
    z: 3 + column.index,
    data: pairs.map((pair, i) => {
      const value = column.value(pair);
      const style = column.index < 0 ? {} : { itemStyle: mark_style(palette, color, column.tainted(pair)) };
      return { value: [value === null ? null : value / one, i], ...style };
    }),
    tooltip: { formatter: (item: { dataIndex: number }) => pair_tip(pairs[item.dataIndex], what) },
  };
}

/** Two axes: the names of the pairs at the left, the differences within the pairs at the right. */
function pair_axes(names: string[], pairs: Pair[], what: What, palette: Palette, width: number): object[] {
  const errors = pairs.map((pair) => difference_text(error_of(pair, what)));
  return [
    category_axis(palette, names, {
      inverse: true,
      splitLine: { show: true, lineStyle: { color: palette.grid } },
      axisLabel: name_labels(palette, names, width),
    }),
    category_axis(palette, errors, {
      inverse: true,
      position: "right",
      axisLine: { show: false },
      axisLabel: { color: palette.ink, interval: 0, fontWeight: 600 },
    }),
  ];
}

/** The axis is logarithmic where the longest time is more than this many times the shortest. */
const kWide = 30;

/** One line per pair: three marks on it, and the difference at its end. */
export function line_chart(pairs: Pair[], what: What): Chart {
  const columns = columns_of(what);
  const values = pairs.flatMap((pair) => columns.map((column) => column.value(pair) ?? 0)).filter((value) => value > 0);
  const { unit, one } = time_scale(Math.max(...values));
  const wide = Math.max(...values) > kWide * Math.min(...values);
  const measured = pairs.map((p) => p.measured);
  const telling = varying(measured, ["algorithm", "wiring", "schedule", "gradients", "run"]);
  const names = measured.map((p) => label_of(p, telling.length ? telling : ["algorithm"], "\n"));
  const present = columns.filter((column) => pairs.some((pair) => column.value(pair) !== null));
  const entries = present.map(({ name, symbol }) => ({ name, icon: name === "bound" ? kTickIcon : symbol }));
  const title = `${what}, median (${unit})`;
  const in_unit = values.map((value) => value / one);
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, entries, width, { mark: true, fixed: true }).legend,
    grid: { left: 8, right: 70, top: 36, bottom: 44 },
    xAxis: wide
      ? log_axis(palette, title, "x", in_unit, { text: tick_text })
      : value_axis(palette, title, "x", { min: 0 }),
    yAxis: pair_axes(names, pairs, what, palette, width),
    series: columns.map((column) => pair_series(column, pairs, what, one, palette)),
  });
  const height = pairs.length * (14 * Math.max(1, telling.length) + 18) + 84;
  return { kind: "chart", height, marks: pairs.length * 4, option };
}

/** Many pairs, simulated over measured. Pairs that agree lie on the diagonal. */
export function parity_chart(pairs: Pair[], what: What): Chart {
  const places = pairs.map((p) => [summary_of(p.measured.row, what).median, summary_of(p.simulated.row, what).median]);
  const { unit, one } = time_scale(Math.max(...places.flat()));
  const values = places.flat().map((value) => value / one);
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, [{ name: "rows" }, { name: "equal", icon: kDashIcon }], width, { mark: true }).legend,
    grid: { left: 16, right: 24, top: 36, bottom: 44 },
    xAxis: log_axis(palette, `${what}, measured (${unit})`, "x", values, { text: tick_text }),
    yAxis: log_axis(palette, `${what}, simulated (${unit})`, "y", values, { text: tick_text }),
    series: [diagonal(values, palette), parity_series(pairs, places, what, one, palette)],
  });
  return { kind: "chart", height: 440, marks: pairs.length, option };
}

export function diagonal(values: number[], palette: Palette): object {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return {
    type: "line",
    name: "equal",
    data: [
      [low, low],
      [high, high],
    ],
    showSymbol: false,
    lineStyle: { color: palette.muted, type: "dashed", width: 1 },
    itemStyle: { color: palette.muted },
    silent: true,
  };
}

function parity_series(pairs: Pair[], places: number[][], what: What, one: number, palette: Palette): object {
  const color = series_color(palette, 0);
  return {
    type: "scatter",
    name: "rows",
    symbolSize: 7,
    itemStyle: { color },
    data: places.map(([m, s], i) => ({
      value: [m / one, s / one],
      itemStyle: mark_style(palette, color, is_tainted(pairs[i].measured)),
    })),
    tooltip: { formatter: (item: { dataIndex: number }) => pair_tip(pairs[item.dataIndex], what) },
  };
}
