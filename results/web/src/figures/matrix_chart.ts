import type { CustomSeriesRenderItemAPI } from "echarts";
import type { EChartsCoreOption } from "echarts/core";
import type { ReportData } from "../data";
import type { Chart } from "../figure";
import { type Point, distinct, is_tainted } from "../points";
import { type Palette, series_color, with_alpha } from "../theme";
import { number_text, time_text } from "../units";
import type { Answered } from "./answer";
import { category_axis, name_labels } from "./axes";
import { base_option, point_tip } from "./common";
import { summary_of } from "./pairs";
import { type Shape, cell, custom_series, numbers_of, place_at } from "./shapes";

const kRow = 32;
const kAround = 56; // pixels above and below the rows
const kStrongest = 0.55; // of a colour that one can still read on

const place_of = ({ row }: Point): string => `${row.algorithm} on ${row.wiring}`;

interface Time {
  point: Point;
  us: number;
  factor: number; // over the least of its matrix
}

/** Of one matrix: the rows with an algorithm on a wiring. The line with the least time comes first. */
interface Line {
  name: string;
  times: Map<string, Time>; // by schedule
}

/** The lines of all matrices, each under the name of what is synchronized where there are several. */
function lines_of(answered: Answered[], jobs: string[]): Line[] {
  return answered.flatMap(({ comparison, points }, at) => {
    const us_of = (point: Point): number => summary_of(point.row, comparison.what).median;
    const least = us_of(points[0]);
    return distinct(points.map(place_of)).map((place, i) => ({
      name: answered.length > 1 && i === 0 ? `${jobs[at]}\n${place}` : place,
      times: new Map(
        points
          .filter((point) => place_of(point) === place)
          .map((point) => [point.row.schedule, { point, us: us_of(point), factor: us_of(point) / least }]),
      ),
    }));
  });
}

/** A cell's number: the time of what is fastest, and how many times as long the others take. */
const cell_text = (us: number, factor: number): string =>
  factor === 1 ? time_text(us) : `${number_text(factor, 3)} ×`;

/** Full for the least time, fainter the longer it takes. */
const strength = (factor: number): number => kStrongest / factor ** 2;

/** The schedules in the order of the experiment. */
function schedules_of(answered: Answered[]): string[] {
  const rows = answered.flatMap(({ comparison, points }) =>
    points.map(({ row }, i) => ({ row, at: comparison.rows[i] })),
  );
  return distinct(rows.sort((a, b) => a.at - b.at).map(({ row }) => row.schedule));
}

/** Draws a cell at [column, row]. */
function draw_cell(api: CustomSeriesRenderItemAPI, palette: Palette, { point, us, factor }: Time): Shape[] {
  const [column, row] = numbers_of(api, 2);
  const [width, height] = api.size!([1, 1]) as number[];
  const color = series_color(palette, 0);
  return cell(
    { center: place_at(api, column, row), width: width - 4, height: height - 4, text: cell_text(us, factor) },
    {
      fill: is_tainted(point) ? palette.surface : with_alpha(color, strength(factor)),
      stroke: color,
      bold: factor === 1,
    },
    palette,
  );
}

/** Matrices: a cell for each place and schedule, with its time over the least one of its matrix. */
export function matrix_chart(answered: Answered[], jobs: string[], data: ReportData): Chart {
  const lines = lines_of(answered, jobs);
  const names = lines.map(({ name }) => name);
  const schedules = schedules_of(answered);
  const cells = lines.flatMap(({ times }, row) =>
    [...times].map(([schedule, time]) => ({ place: [schedules.indexOf(schedule), row], time })),
  );
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    grid: { left: 8, right: 12, top: 30, bottom: 8 },
    xAxis: category_axis(palette, schedules, { position: "top" }),
    yAxis: category_axis(palette, names, { inverse: true, axisLabel: name_labels(palette, names, width) }),
    series: [
      custom_series("times", palette.ink, (api, { dataIndex }) => draw_cell(api, palette, cells[dataIndex].time), {
        data: cells.map(({ place, time }) => [...place, time.factor]),
        encode: { x: 0, y: 1 },
        silent: false,
        tooltip: {
          formatter: (item: { dataIndex: number }) => point_tip(cells[item.dataIndex].time.point, data.flags),
        },
      }),
    ],
  });
  return { kind: "chart", height: lines.length * kRow + kAround, marks: cells.length * 2, option };
}
