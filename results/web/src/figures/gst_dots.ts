import type { EChartsCoreOption } from "echarts/core";
import type { ReportData } from "../data";
import type { Chart } from "../figure";
import { type Point, grouped, is_tainted, label_of, varying } from "../points";
import { type Palette, series_color, series_symbol } from "../theme";
import { time_text } from "../units";
import { kDashIcon, legend_above, log_axis, value_axis } from "./axes";
import { base_option, mark_style, point_tip, zoom_option } from "./common";

/** ECharts draws a series of more dots as one path, which has one style: hollow dots need a series of their own. */
const kLarge = 2000;

/** Dots that look the same: the places and points of one name, all of them tainted or none. */
interface Dots {
  name: string;
  index: number; // of the name, for its colour and symbol
  places: [number, Point][];
  tainted: boolean;
  size: number; // pixels
}

function dot_series({ name, index, places, tainted, size }: Dots, palette: Palette, data: ReportData): object {
  return {
    type: "scatter",
    name,
    symbol: series_symbol(index),
    symbolSize: size,
    large: places.length > kLarge,
    itemStyle: { ...mark_style(palette, series_color(palette, index), tainted), borderWidth: 1.25 },
    data: places.map(([at, point]) => [at, point.row.gst_us.median]),
    tooltip: {
      formatter: (item: { dataIndex: number }) => point_tip(places[item.dataIndex][1], data.flags),
    },
    z: 3,
  };
}

function bound_series(points: Point[], palette: Palette): object {
  return {
    type: "scatter",
    name: "bound",
    symbol: "rect",
    symbolSize: points.length > kLarge ? [3, 1] : [9, 2],
    large: points.length > kLarge,
    itemStyle: { color: palette.bound },
    data: points.flatMap((point, at) => (point.row.bound_us === null ? [] : [[at + 1, point.row.bound_us]])),
    tooltip: { show: false },
    silent: true,
    z: 2,
  };
}

/** A chart of tens of thousands of rows, more than bars can show: every row is a dot, in order. */
export function dot_chart(points: Point[], data: ReportData): Chart {
  const values = points.flatMap((p) => [p.row.gst_us.median, p.row.bound_us ?? p.row.gst_us.median]);
  const telling = varying(points, ["algorithm", "wiring", "backing"]);
  const names = grouped(
    points.map((point, at): [number, Point] => [at + 1, point]),
    ([, p]) => label_of(p, telling) || p.row.algorithm,
  );
  const entries = [...[...names.keys()].map((name) => ({ name })), { name: "bound", icon: kDashIcon }];
  const size = points.length > kLarge ? 4 : 7;
  const dots = (palette: Palette): object[] =>
    [...names].flatMap(([name, places], index) =>
      [false, true].flatMap((tainted) => {
        const these = places.filter(([, point]) => is_tainted(point) === tainted);
        return these.length ? [dot_series({ name, index, places: these, tainted, size }, palette, data)] : [];
      }),
    );
  const ends = { min: 0, max: points.length + 1, minInterval: 1, splitLine: { show: false } };
  const option = (palette: Palette, width: number): EChartsCoreOption => {
    const { legend, top } = legend_above(palette, entries, width, { mark: true });
    return {
      ...base_option(palette),
      legend,
      grid: { left: 16, right: 18, top, bottom: 70 },
      xAxis: value_axis(palette, "row, in the order of the runs", "x", ends),
      yAxis: log_axis(palette, "GST, median", "y", values, { text: (value) => time_text(value, 3) }),
      dataZoom: zoom_option(palette, { filterMode: "none" }),
      series: [bound_series(points, palette), ...dots(palette)],
    };
  };
  return { kind: "chart", height: 460, marks: points.length * 2, option };
}
