import type { EChartsCoreOption } from "echarts/core";
import type { ReportData } from "./data";
import type { Point } from "./points";
import type { SvgNode } from "./svg";
import type { Table } from "./table";
import type { Palette } from "./theme";

/** What the figures are of: the document, and those of its points that the reader's filters leave. */
export interface View {
  data: ReportData;
  points: Point[];
}

/** One figure with one choice made. Pure: the page, the paper figures and the tests get the same. */
export interface Figure {
  title: string;
  definition: string; // a sentence or two: what is drawn, in which unit
  unit: string;
  notes: string[]; // what to know about these data
  picture: Picture | null; // null: the table says it all
  table: () => Table;
}

export type Picture = Chart | Drawing;

export interface Chart {
  kind: "chart";
  height: number;
  marks: number; // how many elements, about: many are drawn on a canvas
  option: (palette: Palette, width: number) => EChartsCoreOption;
  /** Of a chart that is zoomed along time: what to draw between two times, as an option to merge. */
  zoomed?: (palette: Palette, from: number, to: number, width: number) => EChartsCoreOption;
}

export interface Drawing {
  kind: "drawing";
  draw: (palette: Palette, width: number) => SvgNode;
}

/** What the reader can choose on a figure. */
export type Control =
  | {
      kind: "select";
      id: string;
      label: string;
      options: { value: string; text: string }[];
      paper: "each" | "first";
    }
  | { kind: "player"; id: string; label: string; steps: number; say: (step: number) => string };

export type Choices = Record<string, string>;

/** A figure and its choices. Controls may depend on earlier ones; `chosen` may hold what no longer exists. */
export interface Family {
  id: string;
  section: string;
  /** Cheap; whether there is anything to draw. */
  applies: (view: View) => boolean;
  controls: (view: View, chosen: Choices) => Control[];
  figure: (view: View, chosen: Choices) => Figure;
}

/** The chosen option, or the first where the choice is none of them. */
export function chosen_of(controls: Control[], chosen: Choices, id: string): string {
  const control = controls.find((one) => one.id === id);
  if (control === undefined) return "";
  if (control.kind === "player") return String(Math.min(Math.max(Number(chosen[id] ?? 0) || 0, 0), control.steps));
  return control.options.some((option) => option.value === chosen[id]) ? chosen[id] : (control.options[0]?.value ?? "");
}

/** A selection of names; its values are the names themselves. */
export const select = (id: string, label: string, names: string[], paper: "each" | "first" = "each"): Control => ({
  kind: "select",
  id,
  label,
  options: names.map((name) => ({ value: name, text: name })),
  paper,
});
