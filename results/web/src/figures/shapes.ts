import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams, CustomSeriesRenderItemReturn } from "echarts";
import type { Palette } from "../theme";

/** What custom series draw with: ECharts' elements, without their many optional fields. */
export type Shape = object;
export type Place = [x: number, y: number];

/** Draws one data item; null draws nothing. */
type Render = (api: CustomSeriesRenderItemAPI, params: CustomSeriesRenderItemParams) => Shape[] | Shape | null;

export const line = ([x1, y1]: Place, [x2, y2]: Place, color: string, width: number, dash?: number[]): Shape => ({
  type: "line",
  shape: { x1, y1, x2, y2 },
  style: { stroke: color, lineWidth: width, lineDash: dash },
  silent: true,
});

export const polygon = (points: Place[], fill: string): Shape => ({
  type: "polygon",
  shape: { points },
  style: { fill },
  silent: true,
});

export const polyline = (points: Place[], color: string, width: number, dash?: number[]): Shape => ({
  type: "polyline",
  shape: { points },
  style: { stroke: color, lineWidth: width, lineDash: dash, fill: "none" },
  silent: true,
});

/** A short number right of a place. */
export const label = (text: string, [x, y]: Place, palette: Palette): Shape => ({
  type: "text",
  x,
  y,
  style: { text, fill: palette.ink, fontSize: 11, fontFamily: palette.font, verticalAlign: "middle" },
  silent: true,
});

/** A box with a text in its middle. */
export const cell = (
  { center: [x, y], width, height, text }: { center: Place; width: number; height: number; text: string },
  { fill, stroke, bold }: { fill: string; stroke: string; bold: boolean },
  palette: Palette,
): Shape[] => [
  {
    type: "rect",
    shape: { x: x - width / 2, y: y - height / 2, width, height, r: 3 },
    style: { fill, stroke, lineWidth: bold ? 2 : 0.75 },
  },
  {
    type: "text",
    x,
    y,
    style: {
      text,
      fill: palette.ink,
      fontSize: 12,
      fontWeight: bold ? "bold" : "normal",
      fontFamily: palette.font,
      align: "center",
      verticalAlign: "middle",
    },
    silent: true,
  },
];

/** An upright stroke with a rim of the surface, so that it shows on bars and marks of any colour. */
export const tick = ([x, y]: Place, half: number, palette: Palette): Shape[] => [
  line([x, y - half], [x, y + half], palette.surface, 4.5),
  line([x, y - half], [x, y + half], palette.bound, 2.25),
];

/** From low to high, with caps. */
export const whisker = ([low, y]: Place, high: number, cap: number, palette: Palette): Shape[] => [
  line([low, y], [high, y], palette.ink, 1.25),
  line([low, y - cap], [low, y + cap], palette.ink, 1.25),
  line([high, y - cap], [high, y + cap], palette.ink, 1.25),
];

/** A series that draws itself. `more` has its data, what of them are x and y, and how it lies among others. */
export function custom_series(name: string, color: string, render: Render, more: object): object {
  return {
    type: "custom",
    name,
    itemStyle: { color },
    silent: true,
    renderItem: (
      params: CustomSeriesRenderItemParams,
      api: CustomSeriesRenderItemAPI,
    ): CustomSeriesRenderItemReturn => {
      const drawn = render(api, params);
      const element = Array.isArray(drawn) ? { type: "group", children: drawn } : drawn;
      return element as unknown as CustomSeriesRenderItemReturn;
    },
    ...more,
  };
}

/** The first `count` numbers of the data item that is drawn. */
export const numbers_of = (api: CustomSeriesRenderItemAPI, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Number(api.value(i)));

/** The plotting area, in pixels. */
export const area_of = (
  params: CustomSeriesRenderItemParams,
): { x: number; y: number; width: number; height: number } =>
  params.coordSys as unknown as { x: number; y: number; width: number; height: number };

export const place_at = (api: CustomSeriesRenderItemAPI, x: number, y: number): Place => api.coord([x, y]) as Place;
