import type { EChartsCoreOption } from "echarts/core";
import type { WiringCost } from "../data";
import {
  type Choices,
  type Chart,
  type Control,
  type Family,
  type Figure,
  type View,
  chosen_of,
  select,
} from "../figure";
import { type Point, distinct, gradients_of, grouped, is_measured, is_tainted, label_of, varying } from "../points";
import type { Cell, Table } from "../table";
import { type Palette, series_color, series_symbol } from "../theme";
import { number_text, time_scale } from "../units";
import { kDashIcon, legend_above, log_axis, value_axis } from "./axes";
import { base_option, mark_style, point_tip } from "./common";
import { meaning } from "./definitions";

type Item = "price" | "switch ports" | "switches" | "NICs" | "cables";
const kItems: Item[] = ["price", "switch ports", "switches", "NICs", "cables"];

export function amount_of(cost: WiringCost, item: Item): number | null {
  return {
    price: cost.price,
    "switch ports": cost.switch_ports,
    switches: cost.switches,
    NICs: cost.nics,
    cables: cost.cables,
  }[item];
}

const costed = (view: View): Point[] => view.points.filter((p) => p.row.wiring_cost !== null);

/** What the reader can choose: the gradients, and the item of cost. A price needs an experiment with prices. */
function controls(view: View, chosen: Choices): Control[] {
  const points = costed(view);
  const groups = distinct(points.map(gradients_of));
  const which = groups.length > 1 ? [select("gradients", "Gradients", groups)] : [];
  const group = chosen_of(which, chosen, "gradients");
  const shown = points.filter((p) => group === "" || gradients_of(p) === group);
  const items = kItems.filter((item) => shown.some((p) => amount_of(p.row.wiring_cost!, item) !== null));
  return [...which, select("against", "Against", items, "first")];
}

/** A table of what each wiring takes, and of GST in milliseconds times it. Less is better. */
function cost_table(points: Point[]): Table {
  const entries: [string, string | undefined, (p: Point, cost: WiringCost) => Cell][] = [
    ["run", undefined, (p) => p.run_label],
    ["backing", undefined, (p) => p.row.backing],
    ["wiring", undefined, (p) => p.row.wiring],
    ["algorithm", undefined, (p) => p.row.algorithm],
    ["schedule", undefined, (p) => p.row.schedule],
    ["N", undefined, (p) => p.row.N],
    ["GST median", "ms", (p) => p.row.gst_us.median / 1e3],
    ["GST", "T_F", (p) => p.row.gst_us.median / p.row.t_f_us],
    ["cut", "ms", (_, c) => c.cut_us / 1e3],
    ["cut / GST", "%", (p, c) => (100 * c.cut_us) / p.row.gst_us.median],
    ["cut by", undefined, (_, c) => c.cut],
    ...kItems
      .filter((item) => points.some((p) => amount_of(p.row.wiring_cost!, item) !== null))
      .flatMap((item): [string, string | undefined, (p: Point, c: WiringCost) => Cell][] => [
        [item, undefined, (_, c) => amount_of(c, item)],
        [`GST × ${item}`, "ms", (p, c) => times(p.row.gst_us.median / 1e3, amount_of(c, item))],
      ]),
    ["flags", undefined, (p) => p.row.flags.join(" ") || null],
  ];
  return {
    caption: "What the wirings cost, and GST times it",
    columns: entries.map(([title, unit]) => ({ title, unit })),
    rows: points.map((p) => entries.map(([, , cell]) => cell(p, p.row.wiring_cost!))),
  };
}

const times = (a: number, b: number | null): number | null => (b === null ? null : a * b);

/** Names tell the run up to so many runs. The points of more runs share their series. */
const kMostRuns = 3;

/** The measured rows, or the simulated ones where there are none, since both would lie on one another. */
function drawn_of(points: Point[], item: Item): Point[] {
  const known = points.filter((p) => amount_of(p.row.wiring_cost!, item) !== null);
  return known.some(is_measured) ? known.filter(is_measured) : known;
}

/** Where a point lies: across at its amount, up at its GST in units of `one` microseconds. */
interface Scale {
  amount: (p: Point) => number;
  one: number;
}

/** The points of one name, and the name's place among colours and symbols. */
interface Named {
  name: string;
  at: number;
  points: Point[];
}

/** Ranks have another head start in every row, which its cut is less by: one bar is for all that are so near above it. */
const kSameCut = 1.05;

function cut_series(drawn: Point[], { amount, one }: Scale, palette: Palette): object {
  const cuts: [number, number][] = [];
  const all = drawn.map((p): [number, number] => [amount(p), p.row.wiring_cost!.cut_us / one]);
  for (const [x, cut] of all.sort(([, a], [, b]) => a - b))
    if (!cuts.some(([at, least]) => at === x && cut < kSameCut * least)) cuts.push([x, cut]);
  const look = { symbol: "rect", symbolSize: [26, 2.5], itemStyle: { color: palette.bound }, silent: true, z: 2 };
  return { type: "scatter", name: "cut", data: cuts, tooltip: { show: false }, ...look };
}

function cost_series({ name, at, points }: Named, { amount, one }: Scale, palette: Palette, view: View): object {
  const color = series_color(palette, at);
  return {
    type: "scatter",
    name,
    symbol: series_symbol(at),
    symbolSize: 12,
    itemStyle: { color },
    z: 3,
    data: points.map((p) => ({
      value: [amount(p), p.row.gst_us.median / one],
      itemStyle: mark_style(palette, color, is_tainted(p)),
    })),
    tooltip: { formatter: (hit: { dataIndex: number }) => point_tip(points[hit.dataIndex], view.data.flags) },
  };
}

function amount_axis(item: Item, amounts: number[], palette: Palette): object {
  const title = item === "price" ? "price of the wiring (the experiment's currency)" : item;
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  if (least > 0 && most > 30 * least)
    return log_axis(palette, title, "x", amounts, { text: (value) => number_text(value) });
  return value_axis(palette, title, "x", { min: 0 });
}

function chart(points: Point[], item: Item, view: View): Chart {
  const drawn = drawn_of(points, item);
  const { unit, one } = time_scale(Math.max(...drawn.map((p) => p.row.gst_us.median)));
  const scale: Scale = { amount: (p) => amount_of(p.row.wiring_cost!, item)!, one };
  const runs = distinct(drawn.map((p) => p.run_index)).length <= kMostRuns ? (["run"] as const) : [];
  const telling = varying(drawn, ["algorithm", "wiring", ...runs]);
  const names = grouped(drawn, (p) => label_of(p, telling) || p.row.algorithm);
  const entries = [...[...names.keys()].map((name) => ({ name })), { name: "cut", icon: kDashIcon }];
  const option = (palette: Palette, width: number): EChartsCoreOption => {
    const { legend, top } = legend_above(palette, entries, width, { mark: true });
    return {
      ...base_option(palette),
      legend,
      grid: { left: 16, right: 28, top, bottom: 44 },
      xAxis: amount_axis(item, drawn.map(scale.amount), palette),
      yAxis: value_axis(palette, `GST, median (${unit})`, "y", { min: 0 }),
      series: [
        cut_series(drawn, scale, palette),
        ...[...names].map(([name, these], at) => cost_series({ name, at, points: these }, scale, palette, view)),
      ],
    };
  };
  return { kind: "chart", height: 400, marks: drawn.length, option };
}

export function cost_figure(view: View, chosen: Choices): Figure {
  const options = controls(view, chosen);
  const group = chosen_of(options, chosen, "gradients");
  const item = chosen_of(options, chosen, "against") as Item;
  const points = costed(view).filter((p) => group === "" || gradients_of(p) === group);
  const wirings = distinct(points.map((p) => p.row.wiring));
  return {
    title: "What a wiring costs, and what it buys",
    definition: `${meaning(view.data, "GST", "cut")} Against what the wiring is made of; lower and further left is better. The bar is the cut.`,
    unit: `µs, ms or s, as the axis says; ${item === "price" ? "the experiment's currency" : "pieces"}`,
    notes: [
      `Gradients: ${gradients_of(points[0])}.`,
      ...(drawn_of(points, item).length < points.length
        ? ["Drawn are measured rows; the simulated ones are in the table."]
        : []),
    ],
    // One wiring alone has nothing to be compared with.
    picture: wirings.length > 1 ? chart(points, item, view) : null,
    table: () => cost_table(points),
  };
}

export const cost: Family = {
  id: "cost",
  section: "cost",
  applies: (view) => costed(view).length > 0,
  controls,
  figure: cost_figure,
};
