import type { Palette } from "../theme";
import { tick_text } from "../units";

/** A number axis. Its name says what it shows, and the unit. */
export function value_axis(palette: Palette, name: string, place: "x" | "y", more: object = {}): object {
  return {
    type: "value",
    name,
    nameLocation: "middle",
    nameGap: place === "x" ? 28 : 48,
    nameTextStyle: { color: palette.muted, fontSize: 12 },
    axisLine: { show: place === "x", onZero: false, lineStyle: { color: palette.muted } },
    axisTick: { show: place === "x", lineStyle: { color: palette.muted } },
    axisLabel: { color: palette.muted, formatter: tick_text, hideOverlap: true },
    splitLine: { lineStyle: { color: palette.grid } },
    ...more,
  };
}

const kMantissas = [[1], [1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9]];
const kFewest = 3;
const kMost = 12;

const thinned = (ticks: number[]): number[] => {
  const every = Math.ceil(ticks.length / kMost);
  return ticks.filter((_, i) => i % every === 0);
};

/** Round numbers within [low, high]: powers of two, or decades and as much between them as there is room for. */
export function log_ticks(low: number, high: number, base: 2 | 10): number[] {
  const powers = (mantissas: number[]): number[] => {
    const first = Math.floor(Math.log(low) / Math.log(base));
    const last = Math.ceil(Math.log(high) / Math.log(base));
    const all = Array.from({ length: last - first + 1 }, (_, i) =>
      mantissas.map((m) => m * base ** (first + i)),
    ).flat();
    return all.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  };
  if (base === 2) return thinned(powers([1]));
  for (const mantissas of kMantissas) {
    const ticks = powers(mantissas);
    if (ticks.length >= kFewest) return thinned(ticks);
  }
  return [low, high];
}

/** How a logarithmic axis writes its ticks, and the base of their powers, 10 by default. */
export interface LogTicks {
  text: (value: number) => string;
  base?: 2 | 10;
}

/** A logarithmic axis close around its values, with ticks at round numbers; ECharts alone widens it to whole decades. */
export function log_axis(
  palette: Palette,
  name: string,
  place: "x" | "y",
  values: number[],
  { text, base = 10 }: LogTicks,
): object {
  const positive = values.filter((value) => value > 0);
  const least = positive.reduce((a, b) => Math.min(a, b), Infinity);
  const most = positive.reduce((a, b) => Math.max(a, b), 0);
  const room = Math.max((most / least) ** 0.04, 1.02);
  const [min, max] = positive.length ? [least / room, most * room] : [1, 10];
  const ticks = log_ticks(min, max, base);
  return value_axis(palette, name, place, {
    type: "log",
    logBase: base,
    min,
    max,
    nameGap: place === "x" ? 28 : 62,
    axisTick: { show: place === "x", customValues: ticks, lineStyle: { color: palette.muted } },
    axisLabel: { color: palette.muted, customValues: ticks, formatter: text, hideOverlap: true },
    splitLine: { lineStyle: { color: palette.grid } },
  });
}

export function category_axis(palette: Palette, names: string[], more: object = {}): object {
  return {
    type: "category",
    data: names,
    axisLine: { lineStyle: { color: palette.muted } },
    axisTick: { show: false },
    axisLabel: { color: palette.ink, interval: 0 },
    ...more,
  };
}

const kLetter = 7.2; // of twelve-pixel letters, the widest likely font

export const text_width = (text: string): number => Math.max(...text.split("\n").map((line) => line.length)) * kLetter;

/** Labels of a column of names, as wide as they need, but at most their part of the figure. Longer names are cut. */
export function name_labels(palette: Palette, names: string[], width: number): object {
  const room = Math.min(250, width * 0.36);
  const needed = Math.max(...names.map(text_width), 0);
  const cut = needed > room ? { width: room, overflow: "truncate" } : {};
  return { color: palette.ink, interval: 0, lineHeight: 14, ...cut };
}

/** A number axis whose whole numbers are named strips, from the top. Samples lie anywhere across their strip. */
export function strip_axis(palette: Palette, names: string[], width: number): object {
  const ends = { min: -0.5, max: names.length - 0.5, inverse: true, splitLine: { show: false } };
  return {
    ...value_axis(palette, "", "y", ends),
    axisTick: { show: false },
    axisLabel: {
      ...name_labels(palette, names, width),
      customValues: names.map((_, i) => i),
      formatter: (value: number) => names[Math.round(value)] ?? "",
    },
  };
}

const kLegendLine = 20;
const kMostLegendLines = 5;

/** A legend that wraps, and where the grid below it begins. mark says that its symbols are those of scatter series. */
export function legend_above(
  palette: Palette,
  entries: { name: string; icon?: string }[],
  width: number,
  more: { mark?: boolean; fixed?: boolean } = {},
): { legend: object; top: number } {
  const icon = more.mark ? 11 : 22;
  const room = Math.max(width - 30, 100);
  let [lines, used] = [1, 0];
  for (const { name } of entries) {
    const needed = icon + 5 + name.length * kLetter + 16;
    if (used > 0 && used + needed > room) [lines, used] = [lines + 1, 0];
    used += needed;
  }
  const scrolls = lines > kMostLegendLines;
  const legend = {
    type: scrolls ? "scroll" : "plain",
    data: entries,
    selectedMode: !more.fixed,
    top: 3,
    left: 0,
    width: scrolls ? undefined : room,
    padding: [0, 24, 0, 0],
    itemWidth: icon,
    itemHeight: 11,
    itemGap: 14,
    textStyle: {
      color: palette.ink,
      fontFamily: palette.font,
      fontSize: 12,
      width: room - icon - 20,
      overflow: "truncate",
    },
    inactiveColor: palette.grid,
    pageTextStyle: { color: palette.muted },
    pageIconColor: palette.ink,
    pageIconInactiveColor: palette.grid,
  };
  return { legend, top: 16 + (scrolls ? 1 : lines) * kLegendLine };
}

/** The icon of a bound: a short upright stroke. */
export const kTickIcon = "path://M4,0 L7,0 L7,11 L4,11 z";
/** The icon of a cut: a short level stroke. */
export const kDashIcon = "path://M0,4 L11,4 L11,7 L0,7 z";
