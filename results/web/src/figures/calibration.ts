import type { EChartsCoreOption } from "echarts/core";
import type { Json, Run } from "../data";
import type { Chart, Family, Figure, View } from "../figure";
import { type Point, distinct, run_labels } from "../points";
import type { Table } from "../table";
import { type Palette, series_color, with_alpha } from "../theme";
import { percent_text } from "../units";
import { legend_above, strip_axis, value_axis } from "./axes";
import { base_option, tip } from "./common";
import { jitter } from "./distribution";

/** What calibration found on one wiring of one run; rates in undilated GB/s = 1e9 B/s. */
export interface Calibrated {
  run: string;
  wiring: string;
  expected: number;
  together: number | null; // a link's, when all carried something
  alone: { name: string; rate: number }[];
  startup_us: number | null;
  burst: number | null;
  machine_bound: boolean;
}

const number_of = (value: Json | undefined): number | null => (typeof value === "number" ? value : null);
const object_of = (value: Json | undefined): { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

function link_name(link: { [key: string]: Json }): string {
  const [from, to, via, at] = [link.from, link.to, link.via, link.at].map(number_of);
  return `rank ${from} to ${to}, port ${via} to ${at}`;
}

function calibrated_wiring(
  run: string,
  wiring: string,
  found: { [key: string]: Json },
  dilation: number,
): Calibrated[] {
  const expected = number_of(found.expected_bytes_per_s);
  if (expected === null) return [];
  const rate = (value: Json | undefined): number | null =>
    typeof value === "number" ? (value * dilation) / 1e9 : null;
  const links = Array.isArray(found.links) ? found.links.map(object_of) : [];
  const startup = number_of(found.startup_us);
  return [
    {
      run,
      wiring,
      expected: (expected * dilation) / 1e9,
      together: rate(found.together_bytes_per_s),
      alone: links.flatMap((link) => {
        const alone = rate(link.alone_bytes_per_s);
        return alone === null
          ? []
          : [
              {
                name: link_name(link),
                rate: alone,
              },
            ];
      }),
      startup_us: startup === null ? null : startup / dilation,
      burst: rate(found.burst_bytes_per_s),
      machine_bound: found.machine_bound === true,
    },
  ];
}

/** What calibration.json says of each run's wirings, less the run's dilation, which its times and rates have. */
export function calibrated(runs: Run[], labels: string[]): Calibrated[] {
  return runs.flatMap((run, i) => {
    const file = object_of(run.calibration ?? undefined);
    const dilation = number_of(file.dilation) ?? run.dilation ?? 1;
    return Object.entries(object_of(file.wirings)).flatMap(([wiring, found]) =>
      calibrated_wiring(labels[i], wiring, object_of(found), dilation),
    );
  });
}

const runs_of = (points: Point[]): Set<Run> => new Set(points.map((p) => p.run));

function found_in(view: View): Calibrated[] {
  const labels = run_labels(view.data.runs);
  const shown = runs_of(view.points);
  const kept = view.data.runs
    .map((run, i) => ({ run, label: labels[i] }))
    .filter(({ run }) => shown.has(run) || run.rows.length === 0);
  return calibrated(
    kept.map(({ run }) => run),
    kept.map(({ label }) => label),
  );
}

const share = (one: Calibrated, rate: number): number => (100 * rate) / one.expected;

function alone_series(all: Calibrated[], palette: Palette): object {
  return {
    type: "scatter",
    name: "a link alone",
    symbolSize: 6,
    itemStyle: { color: series_color(palette, 0), opacity: 0.7 },
    z: 3,
    data: all.flatMap((one, i) =>
      one.alone.map((link, j) => ({ name: link.name, value: [share(one, link.rate), i + jitter(j)] })),
    ),
    markArea: {
      silent: true,
      itemStyle: { color: with_alpha(palette.muted, 0.12) },
      data: [[{ xAxis: 95 }, { xAxis: 105 }]],
    },
    tooltip: {
      formatter: (hit: { name: string; value: number[] }) => tip(hit.name, [["alone", percent_text(hit.value[0])]]),
    },
  };
}

function together_series(all: Calibrated[], palette: Palette): object {
  return {
    type: "scatter",
    name: "a link, all together",
    symbol: "diamond",
    symbolSize: 13,
    itemStyle: { color: series_color(palette, 1) },
    z: 4,
    data: all.flatMap((one, i) => (one.together === null ? [] : [[share(one, one.together), i]])),
    tooltip: {
      formatter: (hit: { value: number[] }) => tip("all links together", [["each", percent_text(hit.value[0])]]),
    },
  };
}

function chart(all: Calibrated[]): Chart {
  const several = distinct(all.map((one) => one.run)).length > 1;
  const names = all.map((one) => (several ? `${one.wiring}\n${one.run}` : one.wiring));
  const rates = (one: Calibrated): number[] => [...one.alone.map((link) => link.rate), one.together ?? one.expected];
  const values = all.flatMap((one) => rates(one).map((rate) => share(one, rate)));
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [94, 106]);
  const ends = { min: 2 * Math.floor(low / 2), max: 2 * Math.ceil(high / 2) };
  const entries = [{ name: "a link alone" }, { name: "a link, all together" }];
  const option = (palette: Palette, width: number): EChartsCoreOption => ({
    ...base_option(palette),
    legend: legend_above(palette, entries, width, { mark: true }).legend,
    grid: { left: 8, right: 24, top: 36, bottom: 44 },
    xAxis: value_axis(palette, "rate, in % of what the link should carry", "x", ends),
    yAxis: strip_axis(palette, names, width),
    series: [alone_series(all, palette), together_series(all, palette)],
  });
  return { kind: "chart", height: all.length * 52 + 84, marks: values.length, option };
}

function calibration_table(all: Calibrated[]): Table {
  return {
    caption: "Calibration: what the links carried",
    columns: [
      { title: "run" },
      { title: "wiring" },
      { title: "link" },
      { title: "expected", unit: "GB/s" },
      { title: "alone", unit: "GB/s" },
      { title: "all together", unit: "GB/s" },
      { title: "startup", unit: "µs" },
      { title: "burst", unit: "GB/s" },
      { title: "machine bound" },
    ],
    rows: all.flatMap((one) => {
      const bound = one.machine_bound ? "yes" : "no";
      const links = one.alone.map((link) => [
        one.run,
        one.wiring,
        link.name,
        one.expected,
        link.rate,
        null,
        null,
        null,
        bound,
      ]);
      return [
        [one.run, one.wiring, "all", one.expected, null, one.together, one.startup_us, one.burst, bound],
        ...links,
      ];
    }),
  };
}

/** A figure of more wirings than these has a table and no picture. */
const kMostWirings = 40;

export function calibration_figure(view: View): Figure {
  const all = found_in(view);
  const bound = all.filter((one) => one.machine_bound);
  return {
    title: "Calibration: what the emulated links carried",
    definition:
      "Before anything is measured, every link carries data alone, then all carry some together; rates in percent of what the link should carry (line rate less headers). Shaded: within 5 %, outside of which a run fails or is marked.",
    unit: "%",
    notes: bound.length
      ? [`The machine, not the links, set the rate on ${bound.map((one) => `${one.wiring} (${one.run})`).join(", ")}.`]
      : [],
    picture: all.length <= kMostWirings ? chart(all) : null,
    table: () => calibration_table(all),
  };
}

export const calibration: Family = {
  id: "calibration",
  section: "context",
  applies: (view) => found_in(view).length > 0,
  controls: () => [],
  figure: calibration_figure,
};
