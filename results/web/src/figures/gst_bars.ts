import type { CustomSeriesRenderItemAPI } from "echarts";
import type { EChartsCoreOption } from "echarts/core";
import type { Reference, ReportData } from "../data";
import type { Chart } from "../figure";
import { type Point, distinct, is_tainted, label_of, varying } from "../points";
import { type Palette, series_color } from "../theme";
import { number_text, time_scale } from "../units";
import { category_axis, kTickIcon, legend_above, name_labels, value_axis } from "./axes";
import { base_option, interval_of, mark_style, point_tip } from "./common";
import { type Place, type Shape, custom_series, label, numbers_of, place_at, tick, whisker } from "./shapes";

/** Which point stands where. */
export interface Cells {
  categories: string[]; // algorithm, wiring and, where it varies, schedule; a line each
  series: string[]; // backing and, of several, run
  at: { category: number; series: number; point: Point }[];
}

/** By wiring, then algorithm, as first met; a second row for the same place gets a category of its own. */
export function bar_cells(points: Point[]): Cells {
  const by_wiring = distinct(points.map((p) => p.row.wiring));
  const order = [...points].sort((a, b) => by_wiring.indexOf(a.row.wiring) - by_wiring.indexOf(b.row.wiring));
  // Where schedules are compared, what is the same for all need not stand on every bar.
  const schedules = varying(points, ["schedule"]).length > 0;
  const named = schedules ? varying(points, ["algorithm", "wiring", "schedule"]) : (["algorithm", "wiring"] as const);
  const runs = varying(points, ["run"]);
  const cells: Cells = { categories: [], series: [], at: [] };
  const index = (list: string[], name: string): number => {
    if (!list.includes(name)) list.push(name);
    return list.indexOf(name);
  };
  const taken = new Set<string>();
  for (const point of order) {
    const series = index(cells.series, label_of(point, ["backing", ...runs]));
    let name = label_of(point, [...named], "\n");
    while (taken.has(`${series} ${name}`)) name += " ·";
    taken.add(`${series} ${name}`);
    cells.at.push({ category: index(cells.categories, name), series, point });
  }
  return cells;
}

/** More bars have no numbers at their ends. */
const kMostNumbers = 40;

/** Where ECharts puts a bar, about its category's middle. */
interface Bar {
  offsetCenter: number;
  width: number;
}

const kBars = { barMaxWidth: 22, barGap: "18%", barCategoryGap: "34%" };
const kHatch = { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: Math.PI / 4 };

function bar_series(cells: Cells, data: ReportData, palette: Palette, one: number): object[] {
  return cells.series.map((name, series) => {
    const color = series_color(palette, series);
    const values: unknown[] = cells.categories.map(() => ({ value: null }));
    for (const { category, point } of cells.at.filter((cell) => cell.series === series)) {
      const tainted = is_tainted(point);
      const hatched = !tainted && series % 2 === 1;
      values[category] = {
        value: point.row.gst_us.median / one,
        itemStyle: {
          ...mark_style(palette, color, tainted),
          ...(hatched ? { decal: { ...kHatch, color: "rgba(255, 255, 255, 0.45)" } } : {}),
        },
      };
    }
    const point_at = (category: number): Point | undefined =>
      cells.at.find((cell) => cell.series === series && cell.category === category)?.point;
    return {
      type: "bar",
      name,
      ...kBars,
      itemStyle: {
        color,
        decal: series % 2 === 1 ? { ...kHatch, color: "rgba(255, 255, 255, 0.45)" } : undefined,
      },
      data: values,
      tooltip: {
        formatter: (item: { dataIndex: number }) => {
          const point = point_at(item.dataIndex);
          return point ? point_tip(point, data.flags) : "";
        },
      },
    };
  });
}

/** Published GSTs of the experiments that these points are of, as [category, low, high] in us. */
export function published(
  cells: Cells,
  references: Reference[],
): { category: number; low: number; high: number; reference: Reference }[] {
  const found = new Map<string, { category: number; low: number; high: number; reference: Reference }>();
  for (const { category, point } of cells.at) {
    for (const reference of references) {
      const { shows } = reference;
      if (shows.kind !== "gst-t_f" || reference.experiment !== point.run.name) continue;
      if (shows.algorithm !== point.row.algorithm || shows.wiring !== point.row.wiring) continue;
      found.set(`${category} ${reference.id}`, {
        category,
        low: reference.low * point.row.t_f_us,
        high: reference.high * point.row.t_f_us,
        reference,
      });
    }
  }
  return [...found.values()];
}

/** Whisker, number and bound of the bar that data item [category, series, median, low, high, bound] belongs to. */
function mark_series(cells: Cells, palette: Palette, one: number): object {
  const numbers = cells.at.length <= kMostNumbers;
  const data = cells.at.map(({ category, series, point }) => {
    const [low, high] = interval_of(point.row.gst_us);
    return [category, series, point.row.gst_us.median / one, low / one, high / one, (point.row.bound_us ?? 0) / one];
  });
  const render = (api: CustomSeriesRenderItemAPI): Shape[] => {
    const [category, series, median, low, high, bound] = numbers_of(api, 6);
    const bars = api.barLayout({ ...kBars, count: cells.series.length }) as unknown as Bar[];
    const half = bars[series].width / 2;
    const place = (value: number): Place => {
      const [x, y] = place_at(api, value, category);
      return [x, y + bars[series].offsetCenter];
    };
    const [right, y] = place(Math.max(median, high, bound));
    return [
      ...(high > low ? whisker(place(low), place(high)[0], Math.min(half * 0.5, 4), palette) : []),
      ...(bound > 0 ? tick(place(bound), half + 2, palette) : []),
      ...(numbers ? [label(number_text(median, 4), [right + 7, y], palette)] : []),
    ];
  };
  // Not clipped: numbers stand beyond the longest bar.
  return custom_series("bound", palette.bound, render, { data, encode: { x: [2, 3, 4, 5], y: 0 }, clip: false, z: 5 });
}

function published_series(cells: Cells, data: ReportData, palette: Palette, one: number): object[] {
  const marks = published(cells, data.references);
  if (marks.length === 0) return [];
  return [
    {
      type: "scatter",
      name: "published",
      symbol: "diamond",
      symbolSize: 12,
      itemStyle: { color: "transparent", borderColor: palette.ink, borderWidth: 1.75 },
      data: marks.map(({ category, low, high }) => [(low + high) / 2 / one, category]),
      tooltip: {
        formatter: (item: { dataIndex: number }) => {
          const box = document.createElement("div");
          box.textContent = `${marks[item.dataIndex].reference.what} (${marks[item.dataIndex].reference.source})`;
          return box;
        },
      },
      z: 6,
    },
  ];
}

export function bar_chart(cells: Cells, points: Point[], data: ReportData): Chart {
  const largest = Math.max(...points.map((p) => Math.max(p.row.gst_us.median, p.row.bound_us ?? 0)));
  const { unit, one } = time_scale(largest);
  const lines = Math.max(...cells.categories.map((name) => name.split("\n").length), 1);
  const row_height = Math.max(14 * lines + 12, cells.series.length * 21 + 14);
  const option = (palette: Palette, width: number): EChartsCoreOption => {
    const reference = published_series(cells, data, palette, one);
    const names = [
      ...cells.series.map((name) => ({ name })),
      { name: "bound", icon: kTickIcon },
      ...reference.map(() => ({ name: "published", icon: "diamond" })),
    ];
    const { legend, top } = legend_above(palette, names, width, { mark: true, fixed: true });
    return {
      ...base_option(palette),
      legend,
      grid: { left: 8, right: 58, top, bottom: 44 },
      xAxis: value_axis(palette, `GST, median (${unit})`, "x", { min: 0 }),
      yAxis: category_axis(palette, cells.categories, {
        inverse: true,
        axisLabel: name_labels(palette, cells.categories, width),
      }),
      series: [...bar_series(cells, data, palette, one), mark_series(cells, palette, one), ...reference],
    };
  };
  return {
    kind: "chart",
    height: cells.categories.length * row_height + 84,
    marks: cells.at.length * 6,
    option,
  };
}
