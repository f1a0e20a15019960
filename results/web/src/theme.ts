/**
 * Colours of the charts. Series colours are Okabe and Ito's, which colour-blind readers can tell apart; the dark
 * set has the same hues, lighter. Nothing is told by colour alone: series also differ in symbol or hatching, and
 * tainted points are hollow. The page's own colours, in page.css, are the same.
 */
export interface Palette {
  name: "light" | "dark" | "print";
  surface: string;
  ink: string;
  muted: string;
  grid: string;
  bound: string; // the bound's mark
  series: string[];
  bytes: string[]; // from few to many
  band: string; // behind the data
  font: string;
}

/** Without quotes, which CSS does not need: ECharts writes them into SVG attributes as they are. */
const kFont = "system-ui, -apple-system, Segoe UI, Helvetica Neue, Arial, Liberation Sans, sans-serif";

const light: Palette = {
  name: "light",
  surface: "#ffffff",
  ink: "#1c1f24",
  muted: "#5a626d",
  grid: "#e3e5e8",
  bound: "#1c1f24",
  series: ["#0072b2", "#d55e00", "#009e73", "#b0538a", "#b37b00", "#3a9bd0", "#6b5b2a", "#555b66"],
  bytes: ["#a9cde6", "#62a3d2", "#2272b5", "#0d4386", "#1b1548"],
  band: "rgba(0, 0, 0, 0.05)",
  font: kFont,
};

const dark: Palette = {
  name: "dark",
  surface: "#16191d",
  ink: "#e8eaed",
  muted: "#a2a9b3",
  grid: "#2e333a",
  bound: "#ffffff",
  series: ["#4aa8e0", "#f28245", "#2ebf95", "#de8fbb", "#e6ae2e", "#93cdf2", "#c7b16b", "#b3bac4"],
  bytes: ["#255372", "#2f7fb5", "#57b0e2", "#a9dbf5", "#fff6d6"],
  band: "rgba(255, 255, 255, 0.07)",
  font: kFont,
};

/** On paper: as light, with Arial first, which every viewer of an SVG has or replaces by the same widths. */
const print: Palette = {
  ...light,
  name: "print",
  font: "Arial, Liberation Sans, Helvetica, sans-serif",
};

export const palettes = { light, dark, print };

/** Never "pin" or "arrow": they do not stand on their value. */
export const kSymbols = ["circle", "rect", "triangle", "diamond", "roundRect"];

export const series_color = (palette: Palette, index: number): string => palette.series[index % palette.series.length];

/** Five symbols against eight colours: forty series before a pair repeats. */
export const series_symbol = (index: number): string => kSymbols[index % kSymbols.length];

/** A colour with an alpha, for bands; `color` is #rrggbb. */
export function with_alpha(color: string, alpha: number): string {
  const channel = (at: number): number => parseInt(color.slice(at, at + 2), 16);
  return `rgba(${channel(1)}, ${channel(3)}, ${channel(5)}, ${alpha})`;
}

/** Of `colors` spread evenly over [0, 1], the one at `share`, mixed linearly. */
export function mixed_color(colors: string[], share: number): string {
  const at = Math.min(Math.max(share, 0), 1) * (colors.length - 1);
  const low = Math.min(Math.floor(at), colors.length - 2);
  const part = at - low;
  const hex = (offset: number): string => {
    const from = parseInt(colors[low].slice(offset, offset + 2), 16);
    const to = parseInt(colors[low + 1].slice(offset, offset + 2), 16);
    return Math.round(from + (to - from) * part)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${hex(1)}${hex(3)}${hex(5)}`;
}
