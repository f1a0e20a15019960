import { type Choices, type Control, type Family, type Figure, type View, chosen_of, select } from "../figure";
import { type Point, distinct, gradients_of, grouped } from "../points";
import { size_text } from "../units";
import { kHollow, kInterval, meaning } from "./definitions";
import { type Cells, bar_cells, bar_chart } from "./gst_bars";
import { dot_chart } from "./gst_dots";
import { row_table } from "./row_table";

const kAll = "all rows";
/** More bars than these are unreadable; they become dots. */
const kMostBars = 60;
const kMostSeries = 6;
/** More sizes than these are first shown together. */
const kMostGroups = 50;

function controls(view: View): Control[] {
  const groups = distinct(view.points.map(gradients_of));
  if (groups.length < 2) return [];
  // Where every row has its own size, there is nothing to compare within one.
  const alone = groups.length > view.points.length / 2 || groups.length > kMostGroups;
  const names = alone ? [kAll, ...groups] : [...groups, kAll];
  return [select("gradients", "Gradients", names)];
}

export function gst_figure(view: View, chosen: Choices): Figure {
  const wanted = chosen_of(controls(view), chosen, "gradients");
  const points = wanted === "" || wanted === kAll ? view.points : view.points.filter((p) => gradients_of(p) === wanted);
  const cells = cells_of(points);
  const bars = cells !== null;
  return {
    title: "Gradient synchronization time by algorithm and wiring",
    definition: `${meaning(view.data, "GST", "bound")} Median of the measured iterations, lower is better. ${bars ? `${kInterval} ` : ""}${kHollow}`,
    unit: "µs, ms or s, as the axis says",
    notes: notes(points, bars),
    picture: cells ? bar_chart(cells, points, view.data) : dot_chart(points, view.data),
    table: () => row_table("GST by algorithm and wiring", points, view.data, "gst"),
  };
}

/** Null where bars would be too many, or not comparable. */
function cells_of(points: Point[]): Cells | null {
  if (points.length > kMostBars || distinct(points.map(gradients_of)).length > 1) return null;
  const cells = bar_cells(points);
  return cells.series.length <= kMostSeries ? cells : null;
}

function notes(points: Point[], bars: boolean): string[] {
  const lines: string[] = [];
  const names = distinct(points.map(gradients_of));
  if (names.length === 1) lines.push(`Gradients: ${names[0]} (S = ${size_text(points[0].row.bytes, 4)}).`);
  if (!bars)
    lines.push(
      `${points.length} rows, in the order in which they were run; the vertical axis is logarithmic. Hold Ctrl and turn the wheel, or drag the bar below, to zoom.`,
    );
  const rates = grouped(points, (p) => String(p.run.link.rate_bits_per_s));
  if (rates.size > 1) lines.push("The links' rates differ between these runs.");
  return lines;
}

export const gst: Family = {
  id: "gst",
  section: "gst",
  applies: (view) => view.points.length > 0,
  controls: (view) => controls(view),
  figure: gst_figure,
};
