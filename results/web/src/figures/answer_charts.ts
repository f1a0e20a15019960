import type { CustomSeriesRenderItemAPI } from "echarts";
import type { EChartsCoreOption } from "echarts/core";
import type { ReportData } from "../data";
import type { Chart } from "../figure";
import { is_tainted } from "../points";
import { type Palette, series_color } from "../theme";
import { number_text, tick_text, time_scale } from "../units";
import type { Answered } from "./answer";
import { category_axis, log_axis, name_labels, value_axis } from "./axes";
import { base_option, interval_of, mark_style, point_tip, tip } from "./common";
import { summary_of } from "./pairs";
import { type Shape, custom_series, label, numbers_of, place_at, tick, whisker } from "./shapes";

const kBar = 18;
const kBarRow = 30;
const kDotRow = 10;
const kDotLine = 14; // of a row's name
const kAround = 62; // pixels above and below the rows

/** Categories from the top, and room at the right for numbers. */
function frame(palette: Palette, names: string[], width: number): object {
  return {
    ...base_option(palette),
    grid: { left: 8, right: 58, top: 8, bottom: 44 },
    yAxis: category_axis(palette, names, { inverse: true, axisLabel: name_labels(palette, names, width) }),
  };
}

/** A series of strokes and numbers beside the marks of `items`, [row, values ...]. */
const strokes = (
  name: string,
  items: number[][],
  palette: Palette,
  shapes: (api: CustomSeriesRenderItemAPI) => Shape[],
): object =>
  custom_series(name, palette.bound, shapes, {
    data: items,
    encode: { x: items[0].slice(1).map((_, i) => i + 1), y: 0 },
    clip: false,
    z: 5,
  });

/** Interval, bound and number of the bar in `row`; a bound of 0 is none. */
function bar_shapes(api: CustomSeriesRenderItemAPI, palette: Palette): Shape[] {
  const [row, median, low, high, bound] = numbers_of(api, 5);
  const [right, y] = place_at(api, Math.max(median, high, bound), row);
  return [
    ...(high > low ? whisker(place_at(api, low, row), place_at(api, high, row)[0], 4, palette) : []),
    ...(bound > 0 ? tick(place_at(api, bound, row), kBar / 2 + 2, palette) : []),
    label(number_text(median, 4), [right + 7, y], palette),
  ];
}

/** The rows of one comparison: a bar each, with the interval of its median, its bound and its number. */
export function entrants_chart({ comparison, points }: Answered, data: ReportData): Chart {
  const { what, names } = comparison;
  const times = points.map((point) => summary_of(point.row, what));
  const bounds = points.map((point) => (what === "GST" ? point.row.bound_us : null) ?? 0);
  const { unit, one } = time_scale(Math.max(...times.map((time) => time.median)));
  const items = times.map((time, row) => [
    row,
    ...[time.median, ...interval_of(time), bounds[row]].map((us) => us / one),
  ]);
  const bars = (palette: Palette): object => ({
    type: "bar",
    name: what,
    barWidth: kBar,
    data: points.map((point, row) => ({
      value: items[row][1],
      itemStyle: mark_style(palette, series_color(palette, row === 0 ? 0 : 5), is_tainted(point)),
    })),
    tooltip: { formatter: (item: { dataIndex: number }) => point_tip(points[item.dataIndex], data.flags) },
  });
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...frame(palette, names, width),
    xAxis: value_axis(palette, `${what}, median (${unit})`, "x", { min: 0 }),
    series: [bars(palette), strokes("bound", items, palette, (api) => bar_shapes(api, palette))],
  });
  return { kind: "chart", height: points.length * kBarRow + kAround, marks: points.length * 6, option };
}

/** The axis is logarithmic where the largest factor is more than this. */
const kWide = 20;

function factor_axis(palette: Palette, factors: number[]): object {
  const title = "the next row's time / the least time";
  return Math.max(...factors) > kWide
    ? log_axis(palette, title, "x", [1, ...factors], { text: tick_text })
    : value_axis(palette, title, "x", { scale: true, min: Math.min(1, ...factors) });
}

function factor_shapes(api: CustomSeriesRenderItemAPI, palette: Palette): Shape[] {
  const [row, ratio, low, high] = numbers_of(api, 4);
  const [right, y] = place_at(api, high, row);
  return [
    ...(high > low ? whisker(place_at(api, low, row), right, 3, palette) : []),
    label(number_text(ratio, 3), [right + 9, y], palette),
  ];
}

function factor_dots(answered: Answered[], names: string[], palette: Palette): object {
  return {
    type: "scatter",
    name: "factor",
    symbolSize: 9,
    data: answered.map(({ comparison, points }, row) => {
      const open = !comparison.lead.clear || points.slice(0, 2).some(is_tainted);
      return { value: [comparison.lead.ratio, row], itemStyle: mark_style(palette, series_color(palette, 0), open) };
    }),
    tooltip: {
      formatter: ({ dataIndex }: { dataIndex: number }) =>
        tip(names[dataIndex], [["", answered[dataIndex].comparison.sentence]]),
    },
  };
}

/** Many comparisons: how many times as long the second row takes as the first, a dot each. */
export function factors_chart(answered: Answered[], names: string[]): Chart {
  const items = answered.map(({ comparison: { lead } }, row) => [
    row,
    lead.ratio,
    lead.interval?.low ?? lead.ratio,
    lead.interval?.high ?? lead.ratio,
  ]);
  const factors = items.flatMap((item) => item.slice(1));
  const lines = Math.max(...names.map((name) => name.split("\n").length));
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...frame(palette, names, width),
    xAxis: factor_axis(palette, factors),
    series: [
      factor_dots(answered, names, palette),
      strokes("interval", items, palette, (api) => factor_shapes(api, palette)),
    ],
  });
  return {
    kind: "chart",
    height: answered.length * (kDotRow + kDotLine * lines) + kAround,
    marks: answered.length * 5,
    option,
  };
}
