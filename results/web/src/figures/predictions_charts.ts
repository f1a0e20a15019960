import type { EChartsCoreOption } from "echarts/core";
import type { Predictions } from "../data";
import type { Chart } from "../figure";
import { label_of } from "../points";
import { type Palette, series_color } from "../theme";
import { difference_text, tick_text, time_scale, time_text } from "../units";
import { kDashIcon, legend_above, log_axis, strip_axis, value_axis } from "./axes";
import { base_option, mark_style, tip } from "./common";
import { diagonal } from "./compare_charts";
import { jitter } from "./distribution";
import { type PredictedPoint, counts } from "./predictions";

function pair_tip({ pair, point, predicted_us, off_percent }: PredictedPoint): HTMLElement {
  const lines: [string, string][] = [
    ["predicted", time_text(predicted_us)],
    ["measured", time_text(point.row.gst_us.median)],
    ["predicted against measured", difference_text(off_percent, 2)],
    ["transport", pair.values.transport],
  ];
  if (point.row.flags.length) lines.push(["flags", point.row.flags.join(" ")]);
  return tip(label_of(point, ["algorithm", "wiring", "schedule", "gradients", "run"]), lines);
}

function pair_series(pairs: PredictedPoint[], places: number[][], palette: Palette): object {
  const color = series_color(palette, 0);
  return {
    type: "scatter",
    name: "pairs",
    symbolSize: 7,
    itemStyle: { color },
    data: places.map((value, i) => ({ value, itemStyle: mark_style(palette, color, !counts(pairs[i])) })),
    tooltip: { formatter: (item: { dataIndex: number }) => pair_tip(pairs[item.dataIndex]) },
  };
}

/** Predicted over measured. Pairs that agree lie on the diagonal. */
export function prediction_chart(pairs: PredictedPoint[]): Chart {
  const places = pairs.map(({ point, predicted_us }) => [point.row.gst_us.median, predicted_us]);
  const { unit, one } = time_scale(Math.max(...places.flat()));
  const in_unit = places.map((place) => place.map((value) => value / one));
  const values = in_unit.flat();
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, [{ name: "pairs" }, { name: "equal", icon: kDashIcon }], width, { mark: true })
      .legend,
    grid: { left: 16, right: 24, top: 36, bottom: 44 },
    xAxis: log_axis(palette, `GST, measured (${unit})`, "x", values, { text: tick_text }),
    yAxis: log_axis(palette, `GST, predicted (${unit})`, "y", values, { text: tick_text }),
    series: [diagonal(values, palette), pair_series(pairs, in_unit, palette)],
  });
  return { kind: "chart", height: 440, marks: pairs.length, option };
}

/** The strip between the two ends of the band. */
const band_area = (band: number, palette: Palette): object => ({
  silent: true,
  itemStyle: { color: palette.band },
  data: [[{ xAxis: -band }, { xAxis: band }]],
});

/** A strip for each value of what pairs share, as wide as the errors. */
export function error_chart(pairs: PredictedPoint[], predictions: Predictions, shared: string): Chart {
  const groups = predictions.groups.filter((group) => group.shared === shared);
  const shown = groups.filter(({ value }) => pairs.some(({ pair }) => pair.values[shared] === value));
  const strip_of = new Map(shown.map(({ value }, i) => [value, i]));
  const places = pairs.map(({ pair, off_percent }, i) => [off_percent, strip_of.get(pair.values[shared])! + jitter(i)]);
  const names = shown.map(({ value }) => value);
  const widest = Math.max(predictions.band_percent, ...pairs.map(({ off_percent }) => Math.abs(off_percent))) * 1.05;
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    grid: { left: 8, right: 24, top: 12, bottom: 44 },
    xAxis: value_axis(palette, "predicted against measured (%)", "x", { min: -widest, max: widest }),
    yAxis: strip_axis(palette, names, width),
    series: [{ ...pair_series(pairs, places, palette), markArea: band_area(predictions.band_percent, palette) }],
  });
  return { kind: "chart", height: names.length * 44 + 64, marks: pairs.length, option };
}
