import type { CustomSeriesRenderItemAPI } from "echarts";
import type { EChartsCoreOption } from "echarts/core";
import type { Company, CompanyJob } from "../job_data";
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
import { type Palette, series_color, with_alpha } from "../theme";
import { number_text, time_text } from "../units";
import { category_axis, name_labels } from "./axes";
import { base_option, tip } from "./common";
import { type Shape, cell, custom_series, numbers_of, place_at } from "./shapes";

const kRow = 32;
const kAround = 56; // pixels above and below the rows
const kStrongest = 0.55; // of a colour that one can still read on

const company_name = (company: Company): string =>
  `${company.jobs.length} jobs on ${company.wiring}, ${company.backing}`;

const named = (view: View): Map<string, Company> =>
  new Map(view.data.companies.map((company) => [company_name(company), company]));

const controls = (view: View): Control[] => [select("company", "Jobs", [...named(view).keys()])];

/** What a job takes beside whom; column 0 is alone, the last one is all. */
interface Time {
  place: [column: number, row: number];
  us: number;
  factor: number; // over alone
}

function times_of(job: CompanyJob, row: number): Time[] {
  const all = job.slowdown.length + 1;
  const beside = job.slowdown.flatMap((factor, i): Time[] =>
    factor === null ? [] : [{ place: [i + 1, row], us: factor * job.alone_us, factor }],
  );
  const factor = job.alone_us > 0 ? job.together_us / job.alone_us : 1;
  return [
    { place: [0, row], us: job.alone_us, factor: 1 },
    ...beside,
    { place: [all, row], us: job.together_us, factor },
  ];
}

/** The longer beside others, the stronger. */
const strength = (factor: number): number => kStrongest * Math.max(0, 1 - 1 / factor);

function draw_cell(api: CustomSeriesRenderItemAPI, palette: Palette, { place, us, factor }: Time): Shape[] {
  const [column, row] = numbers_of(api, 2);
  const [width, height] = api.size!([1, 1]) as number[];
  const color = series_color(palette, 3);
  return cell(
    {
      center: place_at(api, column, row),
      width: width - 4,
      height: height - 4,
      text: place[0] === 0 ? time_text(us) : `${number_text(factor, 3)} ×`,
    },
    { fill: with_alpha(color, strength(factor)), stroke: palette.grid, bold: false },
    palette,
  );
}

function company_chart(company: Company): Chart {
  const names = company.jobs.map((job) => job.name);
  const columns = ["alone", ...names.map((name) => `beside ${name}`), "beside all"];
  const times = company.jobs.flatMap(times_of);
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    grid: { left: 8, right: 12, top: 30, bottom: 8 },
    xAxis: category_axis(palette, columns, { position: "top" }),
    yAxis: category_axis(palette, names, { inverse: true, axisLabel: name_labels(palette, names, width) }),
    series: [
      custom_series("slowdown", palette.ink, (api, { dataIndex }) => draw_cell(api, palette, times[dataIndex]), {
        data: times.map(({ place, factor }) => [...place, factor]),
        encode: { x: 0, y: 1 },
        silent: false,
        tooltip: {
          formatter: ({ dataIndex }: { dataIndex: number }) => {
            const { place, us, factor } = times[dataIndex];
            return tip(`${names[place[1]]}, ${columns[place[0]]}`, [
              ["iteration", time_text(us)],
              ["over alone", `${number_text(factor, 4)} ×`],
            ]);
          },
        },
      }),
    ],
  });
  return { kind: "chart", height: names.length * kRow + kAround, marks: times.length * 2, option };
}

function company_table(company: Company): Table {
  return {
    caption: company_name(company),
    columns: [
      { title: "job" },
      { title: "ranks" },
      { title: "alone", unit: "µs" },
      { title: "together", unit: "µs" },
      ...company.jobs.map((job) => ({ title: `beside ${job.name}` })),
      { title: "busiest shared link" },
      { title: "needs", unit: "µs" },
      { title: "own", unit: "µs" },
      { title: "with" },
    ],
    rows: company.jobs.map((job) => [
      job.name,
      job.ranks,
      job.alone_us,
      job.together_us,
      ...job.slowdown,
      job.link?.name ?? null,
      job.link?.needs_us ?? null,
      job.link?.own_us ?? null,
      job.link?.others.join(", ") ?? null,
    ]),
  };
}

export function company_figure(view: View, chosen: Choices): Figure {
  const company = named(view).get(chosen_of(controls(view), chosen, "company"))!;
  const held = company.jobs.flatMap((job) =>
    job.link && job.together_us > job.alone_us * (1 + 1e-6)
      ? [`${job.name} is held up most at ${job.link.name}, which it shares with ${job.link.others.join(", ")}.`]
      : [],
  );
  return {
    title: "Jobs beside each other",
    definition:
      "How long an iteration of the job of a row takes alone, and how many times as long beside the job of a column, and beside all. A pair that was not run has no cell.",
    unit: "µs, ms or s as written, and parts of the time alone",
    notes: [`${company_name(company)}.`, ...company.notes, ...held],
    picture: company_chart(company),
    table: () => company_table(company),
  };
}

export const company: Family = {
  id: "company",
  section: "jobs",
  applies: (view) => view.data.companies.length > 0,
  controls,
  figure: company_figure,
};
