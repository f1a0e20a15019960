import type { EChartsCoreOption } from "echarts/core";
import type { Row, Summary } from "../data";
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
import { type Point, grouped, is_measured, is_tainted, label_of, varying } from "../points";
import type { Table } from "../table";
import { type Palette, series_color } from "../theme";
import { difference_text, tick_text, time_scale, time_text } from "../units";
import { category_axis, kTickIcon, legend_above, log_axis, name_labels, value_axis } from "./axes";
import { base_option, flags_text, mark_style, tip } from "./common";
import { kBound, kGst } from "./definitions";

/** A measured row and the simulated one of the same point. */
export interface Pair {
  measured: Point;
  simulated: Point;
}

/** Everything but the backing: what makes two rows the same point, whatever run they are of. */
const sameness = ({ row }: Point): string =>
  JSON.stringify([
    row.wiring,
    row.algorithm,
    row.workload,
    row.batch,
    row.schedule,
    row.N,
    row.k,
    row.bytes,
    row.type,
    row.t_f_us.toPrecision(6),
  ]);

/** Each measured row with the simulated one of its own run or else of the first run that has it. */
export function pairs_of(points: Point[]): Pair[] {
  const simulated = grouped(
    points.filter((p) => !is_measured(p)),
    sameness,
  );
  return points.filter(is_measured).flatMap((measured) => {
    const same = simulated.get(sameness(measured)) ?? [];
    const found = same.find((p) => p.run_index === measured.run_index) ?? same[0];
    return found ? [{ measured, simulated: found }] : [];
  });
}

/** 100 (simulated / measured - 1). */
export const error_percent = (measured: number, simulated: number): number => 100 * (simulated / measured - 1);

type What = "GST" | "iteration";
const summary_of = (row: Row, what: What): Summary =>
  what === "iteration" && row.training ? row.training.iteration_us : row.gst_us;

function controls(view: View): Control[] {
  const trained = pairs_of(view.points).some((pair) => pair.measured.row.training && pair.simulated.row.training);
  return trained ? [select("what", "Time", ["iteration", "GST"])] : [];
}

function compare_table(pairs: Pair[], what: What): Table {
  const percent = {
    unit: "%",
    format: (value: number) => difference_text(value).replace(" %", ""),
  };
  return {
    caption: `${what}: measured, simulated and bound`,
    columns: [
      { title: "run" },
      { title: "backing" },
      { title: "wiring" },
      { title: "algorithm" },
      { title: "workload" },
      { title: "batch" },
      { title: "schedule" },
      { title: "S", unit: "B" },
      { title: "measured", unit: "µs" },
      { title: "simulated", unit: "µs" },
      { title: "simulated against measured", ...percent },
      { title: "bound of GST", unit: "µs" },
      { title: "flags, measured" },
      { title: "flags, simulated" },
    ],
    rows: pairs.map(({ measured, simulated }) => {
      const { row } = measured;
      const [m, s] = [summary_of(row, what).median, summary_of(simulated.row, what).median];
      return [
        measured.run_label,
        row.backing,
        row.wiring,
        row.algorithm,
        row.workload || null,
        row.batch,
        row.schedule,
        row.bytes,
        m,
        s,
        error_percent(m, s),
        row.bound_us,
        flags_text(measured) || null,
        flags_text(simulated) || null,
      ];
    }),
  };
}

function pair_tip(pair: Pair, what: What): HTMLElement {
  const m = summary_of(pair.measured.row, what).median;
  const s = summary_of(pair.simulated.row, what).median;
  const lines: [string, string][] = [
    ["measured", time_text(m)],
    ["simulated", time_text(s)],
    ["simulated against measured", difference_text(error_percent(m, s), 2)],
  ];
  if (what === "GST" && pair.measured.row.bound_us !== null)
    lines.push(["bound", time_text(pair.measured.row.bound_us)]);
  for (const point of [pair.measured, pair.simulated]) {
    if (is_tainted(point)) lines.push([`flags, ${point.row.backing}`, flags_text(point)]);
  }
  return tip(label_of(pair.measured, ["algorithm", "wiring", "schedule", "gradients", "run"]), lines);
}

interface Column {
  name: string;
  index: number;
  symbol: string;
  size: number | number[];
  tainted: (pair: Pair) => boolean;
  value: (pair: Pair) => number | null;
}

function columns_of(what: What): Column[] {
  return [
    {
      name: "measured",
      index: 0,
      symbol: "circle",
      size: 11,
      tainted: (p) => is_tainted(p.measured),
      value: (p) => summary_of(p.measured.row, what).median,
    },
    {
      name: "simulated",
      index: 1,
      symbol: "diamond",
      size: 13,
      tainted: (p) => is_tainted(p.simulated),
      value: (p) => summary_of(p.simulated.row, what).median,
    },
    {
      name: "bound",
      index: -1,
      symbol: "rect",
      size: [2.5, 18],
      tainted: () => false,
      value: (p) => (what === "GST" ? p.measured.row.bound_us : null),
    },
  ];
}

/** One line per pair: three marks on it, and the difference at its end. */
function line_chart(pairs: Pair[], what: What): Chart {
  const values = pairs.flatMap((pair) => columns_of(what).map((column) => column.value(pair) ?? 0));
  const { unit, one } = time_scale(Math.max(...values));
  const lowest = Math.min(...values.filter((value) => value > 0));
  const wide = Math.max(...values) > 30 * lowest;
  const telling = varying(
    pairs.map((p) => p.measured),
    ["algorithm", "wiring", "schedule", "gradients", "run"],
  );
  const names = pairs.map((p) => label_of(p.measured, telling.length ? telling : ["algorithm"], "\n"));
  const lines = Math.max(1, telling.length);
  const present = columns_of(what).filter((column) => pairs.some((pair) => column.value(pair) !== null));
  const entries = present.map(({ name, symbol }) => ({
    name,
    icon: name === "bound" ? kTickIcon : symbol,
  }));
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, entries, width, { mark: true, fixed: true }).legend,
    grid: { left: 8, right: 70, top: 36, bottom: 44 },
    xAxis: wide
      ? log_axis(
          palette,
          `${what}, median (${unit})`,
          "x",
          values.map((value) => value / one),
          tick_text,
        )
      : value_axis(palette, `${what}, median (${unit})`, "x", { min: 0 }),
    yAxis: [
      category_axis(palette, names, {
        inverse: true,
        splitLine: { show: true, lineStyle: { color: palette.grid } },
        axisLabel: name_labels(palette, names, width),
      }),
      category_axis(
        palette,
        pairs.map((p) =>
          difference_text(
            error_percent(summary_of(p.measured.row, what).median, summary_of(p.simulated.row, what).median),
          ),
        ),
        {
          inverse: true,
          position: "right",
          axisLine: { show: false },
          axisLabel: { color: palette.ink, interval: 0, fontWeight: 600 },
        },
      ),
    ],
    series: columns_of(what).map((column) => ({
      type: "scatter",
      name: column.name,
      symbol: column.symbol,
      symbolSize: column.size,
      itemStyle: { color: column.index < 0 ? palette.bound : series_color(palette, column.index) },
      z: 3 + column.index,
      data: pairs.map((pair, i) => {
        const value = column.value(pair);
        const style =
          column.index < 0
            ? {}
            : {
                itemStyle: mark_style(palette, series_color(palette, column.index), column.tainted(pair)),
              };
        return { value: [value === null ? null : value / one, i], ...style };
      }),
      tooltip: {
        formatter: (item: { dataIndex: number }) => pair_tip(pairs[item.dataIndex], what),
      },
    })),
  });
  return {
    kind: "chart",
    height: pairs.length * (14 * lines + 18) + 84,
    marks: pairs.length * 4,
    option,
  };
}

/** Of many pairs: simulated over measured; on the diagonal they agree. */
function parity_chart(pairs: Pair[], what: What): Chart {
  const places = pairs.map((p) => [summary_of(p.measured.row, what).median, summary_of(p.simulated.row, what).median]);
  const { unit, one } = time_scale(Math.max(...places.flat()));
  const values = places.flat().map((value) => value / one);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, [{ name: "rows" }, { name: "equal" }], width, { mark: true }).legend,
    grid: { left: 16, right: 24, top: 36, bottom: 44 },
    xAxis: log_axis(palette, `${what}, measured (${unit})`, "x", values, tick_text),
    yAxis: log_axis(palette, `${what}, simulated (${unit})`, "y", values, tick_text),
    series: [
      {
        type: "line",
        name: "equal",
        data: [
          [low, low],
          [high, high],
        ],
        showSymbol: false,
        lineStyle: { color: palette.muted, type: "dashed", width: 1 },
        itemStyle: { color: palette.muted },
        silent: true,
      },
      {
        type: "scatter",
        name: "rows",
        symbolSize: 7,
        itemStyle: { color: series_color(palette, 0) },
        data: places.map(([m, s], i) => ({
          value: [m / one, s / one],
          itemStyle: mark_style(palette, series_color(palette, 0), is_tainted(pairs[i].measured)),
        })),
        tooltip: {
          formatter: (item: { dataIndex: number }) => pair_tip(pairs[item.dataIndex], what),
        },
      },
    ],
  });
  return { kind: "chart", height: 440, marks: pairs.length, option };
}

export function compare_figure(view: View, chosen: Choices): Figure {
  const what = (chosen_of(controls(view), chosen, "what") || "GST") as What;
  const pairs = pairs_of(view.points).filter(
    (p) => what === "GST" || (p.measured.row.training && p.simulated.row.training),
  );
  const meaning = what === "GST" ? `${kGst} ${kBound}` : "Iteration: forward pass to last bucket.";
  return {
    title: "Measured, simulated and bound side by side",
    definition: `${meaning} Rows match in everything but the backing; at the right, 100 (simulated / measured − 1).`,
    unit: "µs, ms or s, as the axis says; differences in %",
    notes: [error_note(pairs, what), ...across_note(pairs)],
    picture: pairs.length > 40 ? parity_chart(pairs, what) : line_chart(pairs, what),
    table: () => compare_table(pairs, what),
  };
}

function error_note(pairs: Pair[], what: What): string {
  const errors = pairs.map((p) =>
    error_percent(summary_of(p.measured.row, what).median, summary_of(p.simulated.row, what).median),
  );
  const worst = errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  return `The largest difference is ${difference_text(worst)}, of ${pairs.length} compared.`;
}

const across_note = (pairs: Pair[]): string[] =>
  pairs.some((p) => p.measured.run_index !== p.simulated.run_index)
    ? ["Some simulated rows are of another run than the measured ones."]
    : [];

export const compare: Family = {
  id: "compare",
  section: "compare",
  applies: (view) => pairs_of(view.points).length > 0,
  controls,
  figure: compare_figure,
};
