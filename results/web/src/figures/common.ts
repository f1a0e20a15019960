import type { EChartsCoreOption } from "echarts/core";
import { type Point, is_tainted, label_of, kDimensions, reasons } from "../points";
import type { Palette } from "../theme";
import { number_text, time_text } from "../units";

/** What every chart has: no animation, quiet axes, tooltips that are DOM and never HTML text. */
export function base_option(palette: Palette): EChartsCoreOption {
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: palette.font, color: palette.ink, fontSize: 12 },
    tooltip: {
      trigger: "item",
      confine: true,
      appendTo: undefined,
      backgroundColor: palette.surface,
      borderColor: palette.grid,
      textStyle: { color: palette.ink, fontFamily: palette.font, fontSize: 12 },
      extraCssText: "max-width: 26rem; white-space: normal; box-shadow: 0 2px 10px rgba(0,0,0,.18);",
    },
  };
}

/** Along the bottom, and by wheel and pinch. */
export function zoom_option(palette: Palette, more: object = {}): object[] {
  const style = {
    borderColor: palette.grid,
    fillerColor: palette.band,
    backgroundColor: "transparent",
    dataBackground: { lineStyle: { color: palette.grid }, areaStyle: { color: palette.grid } },
    selectedDataBackground: {
      lineStyle: { color: palette.muted },
      areaStyle: { color: palette.grid },
    },
    handleStyle: { color: palette.surface, borderColor: palette.muted },
    moveHandleStyle: { color: palette.grid },
    textStyle: { color: palette.muted },
  };
  return [
    { type: "inside", xAxisIndex: 0, zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false, ...more },
    { type: "slider", xAxisIndex: 0, bottom: 4, height: 18, showDetail: false, ...style, ...more },
  ];
}

/** A tooltip's content. Text nodes only: names come from result files. */
export function tip(title: string, lines: [string, string][]): HTMLElement {
  const box = document.createElement("div");
  const head = document.createElement("strong");
  head.textContent = title;
  box.append(head);
  for (const [name, value] of lines) {
    const line = document.createElement("div");
    line.textContent = name ? `${name}: ${value}` : value;
    box.append(line);
  }
  return box;
}

/** What a tooltip says of a row, and why it is hollow. */
export function point_tip(point: Point, meanings: Record<string, string>): HTMLElement {
  const { row } = point;
  const lines: [string, string][] = [["GST, median", time_text(row.gst_us.median)]];
  const interval = row.gst_us.median_interval;
  if (interval) {
    lines.push([
      `${number_text(100 * interval.confidence, 3)} % interval`,
      `${time_text(interval.low)} to ${time_text(interval.high)}`,
    ]);
  }
  lines.push(["p99", time_text(row.gst_us.p99)], ["n", String(row.gst_us.n)]);
  lines.push(["in T_F", number_text(row.gst_us.median / row.t_f_us)]);
  if (row.bound_us !== null) lines.push(["bound", time_text(row.bound_us)]);
  if (row.efficiency !== null) lines.push(["eff", number_text(row.efficiency, 3)]);
  if (row.training) {
    lines.push(
      ["iteration, median", time_text(row.training.iteration_us.median)],
      ["exposed", time_text(row.training.exposed_us)],
    );
  }
  for (const reason of reasons(point, meanings)) lines.push(["", `⚑ ${reason}`]);
  return tip(label_of(point, kDimensions), lines);
}

/** Filled, or only outlined where the row is tainted. */
export function mark_style(palette: Palette, color: string, tainted: boolean): object {
  return tainted
    ? { color: palette.surface, borderColor: color, borderWidth: 1.75, opacity: 1 }
    : { color, borderColor: color, borderWidth: 1.75, opacity: 1 };
}

export const flags_text = (point: Point): string => (is_tainted(point) ? point.row.flags.join(" ") : "");

/** Of what is drawn with confidence intervals: [low, high], or the median twice. */
export function interval_of(summary: Point["row"]["gst_us"]): [number, number] {
  return summary.median_interval
    ? [summary.median_interval.low, summary.median_interval.high]
    : [summary.median, summary.median];
}
