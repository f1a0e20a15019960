import type { EChartsCoreOption } from "echarts/core";
import type { JobDrawing, JobGroup } from "../job_data";
import {
  type Chart,
  type Choices,
  type Control,
  type Family,
  type Figure,
  type View,
  chosen_of,
  select,
} from "../figure";
import type { Table } from "../table";
import { type Palette, series_color } from "../theme";
import { time_scale, time_text } from "../units";
import { category_axis, legend_above, name_labels, value_axis } from "./axes";
import { base_option, tip } from "./common";
import { job_name, jobs_by_name } from "./job";

const kMostBars = 40;
const kRow = 30;
const kAround = 84; // pixels above and below the bars

const group_name = (group: JobGroup): string => group.name ?? "all groups";

/** Those that call collectives. */
const named = (view: View): Map<string, JobDrawing> =>
  new Map([...jobs_by_name(view)].filter(([, job]) => job.groups.some((group) => group.calls > 0)));

const controls = (view: View): Control[] => [select("job", "Job", [...named(view).keys()])];

/** The groups, and all together where there are several; the longest exposed first. */
function groups_of(job: JobDrawing): JobGroup[] {
  const groups = job.groups.filter((group) => group.name !== null);
  const shown = groups.length > 1 ? job.groups : groups;
  return [...shown].sort((a, b) => b.exposed_us - a.exposed_us);
}

/** A part of every bar: what it is called, its colour's place, and how long it is. */
interface Part {
  name: string;
  index: number;
  us: (group: JobGroup) => number;
}

const kParts: Part[] = [
  { name: "exposed", index: 1, us: (group) => group.exposed_us },
  { name: "hidden by computing", index: 0, us: (group) => group.busy_us - group.exposed_us },
];

function group_tip(group: JobGroup): HTMLElement {
  return tip(group_name(group), [
    ["ranks", String(group.ranks)],
    ["collectives", String(group.calls)],
    ["in them", time_text(group.busy_us)],
    ["exposed", time_text(group.exposed_us)],
    ["exposed, most of a rank", time_text(group.most_exposed_us)],
  ]);
}

function groups_chart(groups: JobGroup[]): Chart {
  const { unit, one } = time_scale(Math.max(...groups.map((group) => group.busy_us)));
  const names = groups.map(group_name);
  const option = (palette: Palette, width: number): EChartsCoreOption => {
    const { legend, top } = legend_above(palette, kParts, width, { mark: true, fixed: true });
    return {
      ...base_option(palette),
      legend,
      grid: { left: 8, right: 12, top, bottom: 44 },
      xAxis: value_axis(palette, `time of an iteration (${unit})`, "x", { min: 0 }),
      yAxis: category_axis(palette, names, { inverse: true, axisLabel: name_labels(palette, names, width) }),
      series: kParts.map(({ name, index, us }) => ({
        type: "bar",
        name,
        stack: "collectives",
        barMaxWidth: 20,
        itemStyle: { color: series_color(palette, index) },
        data: groups.map((group) => us(group) / one),
        tooltip: { formatter: ({ dataIndex }: { dataIndex: number }) => group_tip(groups[dataIndex]) },
      })),
    };
  };
  return { kind: "chart", height: groups.length * kRow + kAround, marks: groups.length * 2, option };
}

function groups_table(job: JobDrawing, groups: JobGroup[]): Table {
  return {
    caption: `Groups of ${job_name(job)}`,
    columns: [
      { title: "group" },
      { title: "ranks" },
      { title: "collectives" },
      { title: "in them", unit: "µs" },
      { title: "exposed", unit: "µs" },
      { title: "exposed, most", unit: "µs" },
    ],
    rows: groups.map((group) => [
      group_name(group),
      group.ranks,
      group.calls,
      group.busy_us,
      group.exposed_us,
      group.most_exposed_us,
    ]),
  };
}

export function job_groups_figure(view: View, chosen: Choices): Figure {
  const job = named(view).get(chosen_of(controls(view), chosen, "job"))!;
  const groups = groups_of(job);
  const bars = groups.slice(0, kMostBars);
  return {
    title: "Groups of a job",
    definition:
      "How long the ranks of a group are in its collectives, from their call to the end of their part, in the last iteration and on average. Exposed is the part in which the rank does not compute. Time in collectives of several groups at once counts for each of them, and once for all.",
    unit: "µs, ms or s, as the axis says",
    notes: [
      `${job_name(job)}.`,
      ...job.notes,
      ...(bars.length < groups.length ? [`${bars.length} of ${groups.length} are drawn; the table has all.`] : []),
    ],
    picture: groups_chart(bars),
    table: () => groups_table(job, groups),
  };
}

export const job_groups: Family = {
  id: "groups",
  section: "jobs",
  applies: (view) => named(view).size > 0,
  controls,
  figure: job_groups_figure,
};
