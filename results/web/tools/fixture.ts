import type { Answer, Predictions, Reference, ReportData, Run } from "../src/data";
import type { JobDrawing } from "../src/job_data";
import { answer_of, sample_answer } from "./fixture_answers";
import { neighbours, pair_job } from "./fixture_jobs";
import { sample_predictions } from "./fixture_predictions";
import { randomness, row, run, times } from "./fixture_rows";
import { calibration, figure6, quickstart, scaling_run, schedule_run } from "./fixture_runs";
import { bcube, bcube_sends, fat_tree, plan, ring_sends, single_switch, timeline } from "./fixture_wirings";

const kFlags: Record<string, string> = {
  "faster-than-bound": "eff% is over 100, which nothing can reach: the bound is wrong, or a clock or a link's rate is",
  "high-variance": "the coefficient of variation is above 10 %",
  "few-samples": "fewer than 6 measured iterations: too few for a confidence interval",
  burst: "a shaper's burst is more than 1 % of what the busiest port sends",
};

/** Some words of the program's glossary. */
const kGlossary: ReportData["glossary"] = [
  { name: "S", definition: "Gradient bytes of each rank." },
  {
    name: "GST",
    definition:
      "Gradient synchronization time, from the moment the last rank's gradient is ready to the moment the last rank can use the result.",
  },
  { name: "bound", definition: "The time that the most loaded link takes." },
  { name: "cut", definition: "A time that no all-reduce can beat on this wiring." },
  { name: "T_F", definition: "S / line rate." },
  { name: "iteration", definition: "From the start of the forward pass to the end of the last bucket." },
  { name: "exposed", definition: "Iteration time minus compute time." },
  { name: "JCT", definition: "Job completion time, of all measured iterations together." },
];

export const document_of = (runs: Run[], more: Partial<ReportData> = {}): ReportData => ({
  version: 1,
  generated: "2026-03-01T12:34:56Z",
  program: "gradwire 0.1.0 (commit 0123456789ab; GNU 12.2.0, Release)",
  answer: answer_of([]),
  predictions: null,
  runs,
  wirings: {},
  plans: [],
  timelines: [],
  jobs: [],
  companies: [],
  references: [],
  flags: kFlags,
  glossary: kGlossary,
  ...more,
});

/** Published results, one of each kind that a figure shows. */
const kReferences: Reference[] = [
  {
    id: "BML-12",
    source: "BML, NeurIPS 2018, section 4.2, Figure 5",
    what: "GST of BML on BCube(3,2)",
    unit: "T_F",
    low: 0.8889,
    high: 0.8889,
    experiment: "quickstart",
    shows: { kind: "gst-t_f", algorithm: "bml", wiring: "bcube(3,2)" },
  },
  {
    id: "BML-33",
    source: "BML, NeurIPS 2018, section 4.3, Figure 6",
    what: "JCT of BML against PS",
    unit: "%",
    low: 18.7,
    high: 56.4,
    experiment: "bml-figure6",
    shows: { kind: "jct-reduction", algorithm: "bml", against: "ps" },
  },
  {
    id: "MG-10",
    source: "MG-WFBP, TPDS section 6.4",
    what: "speed-up of MG-WFBP over WFBP with 64 workers",
    unit: "times",
    low: 1.78,
    high: 1.78,
    experiment: "mg-wfbp-figure10",
    shows: { kind: "speed-up", schedule: "mg-wfbp", against: "wfbp", N: 64 },
  },
];

/** A document that has something for every figure of the page. */
export function sample(): ReportData {
  const random = randomness(1);
  const [star, cube, tree] = [single_switch(9), bcube(3, 2), fat_tree(4)];
  const S = 13098536;
  const runs = [quickstart(random), figure6(random), schedule_run(random), scaling_run()];
  return document_of(runs, {
    answer: sample_answer(runs),
    predictions: sample_predictions(runs, 0),
    wirings: { [star.name]: star, [cube.name]: cube, [tree.name]: tree },
    plans: [
      plan(star, "ring", S, ring_sends(9, S)),
      plan(cube, "bml", S, bcube_sends(3, 2, S)),
      plan(tree, "ring", S, ring_sends(16, S)),
    ],
    timelines: [timeline(4, 5, 2, 14, 301570)],
    jobs: [pair_job()],
    companies: [neighbours()],
    references: structuredClone(kReferences),
  });
}

/** Names that would act if any of them were read as HTML, SVG, CSV or a template. */
export const kHostile = [
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(2)">',
  "{b} {@[0]} %s $& </title>",
  '=HYPERLINK("x")',
  "]]>&amp;<svg onload=alert(3)> \u0007\u0000 'quoted' \"twice\"",
];

function spoil_answer(answer: Answer, [name, image, svg]: string[]): void {
  answer.sentence += ` ${name} ${image}`;
  for (const one of answer.comparisons) {
    one.names = one.names.map((each) => `${each} ${image}`);
    one.gradients += svg;
    one.sentence += name;
  }
}

function spoil_predictions(predictions: Predictions, text: string): void {
  predictions.sentence += text;
  for (const group of predictions.groups) group.value += text;
  for (const pair of predictions.pairs) {
    for (const shared of Object.keys(pair.values)) pair.values[shared] += text;
    pair.left_out_for = [text];
  }
}

function spoil_jobs(jobs: JobDrawing[], [name, image, template, svg]: string[]): void {
  for (const one of jobs) {
    one.name = `${name} ${svg}`;
    one.algorithms = [image];
    one.notes = [template];
    for (const step of one.path) step.node = image;
    for (const stream of one.streams) stream.nodes.forEach((node) => (node[0] = name));
  }
}

export function hostile(): ReportData {
  const data = sample();
  const [name, image, template, formula, svg] = kHostile;
  data.runs.forEach((one, i) => {
    one.name = `${name} ${i}`;
    one.folder = `${svg}/${image}`;
    one.description = svg;
    one.problems = [image];
    one.notes = [svg];
    one.context = { [name]: image, experiment: { text: svg } };
    if (one.verification) {
      one.verification = {
        ...one.verification,
        finished: image,
        settings: { [svg]: formula },
        checks: [{ check: name, passed: 1, failed: 0 }],
        failures: [svg],
        ignored: [template],
      };
    }
    for (const each of one.rows) {
      each.workload = each.workload && `${formula} ${each.workload}`;
      each.algorithm = `${each.algorithm} ${image}`;
      each.schedule = `${template} ${each.schedule}`;
      if (each.flags.length) each.flags = [name];
    }
  });
  data.flags = { [name]: image };
  spoil_answer(data.answer, [name, image, svg]);
  spoil_predictions(data.predictions!, image);
  data.program = svg;
  for (const one of data.plans) one.algorithm += ` ${svg} ${name}`;
  spoil_jobs(data.jobs, [name, image, template, svg]);
  for (const company of data.companies) company.jobs.forEach((one) => (one.name += svg));
  for (const reference of data.references) reference.source = image;
  for (const wiring of Object.values(data.wirings)) wiring.nodes!.forEach((node) => (node.name += name));
  return data;
}

/** A document of so many runs, each of so many rows of so many samples. */
export function many(runs: number, rows: number, count: number): ReportData {
  const random = randomness(7);
  const names = ["ring", "ps", "bml", "double-tree", "hierarchical"];
  return document_of(
    Array.from({ length: runs }, (_, r) =>
      run(
        `nightly-${r}`,
        Array.from({ length: rows }, (_, i) => {
          const median = 2000 * (1 + (i % 5)) + 10 * r;
          return row({
            wiring: i < rows / 2 ? "single-switch(9)" : "bcube(3,2)",
            algorithm: names[i % 5],
            N: 9,
            k: i < rows / 2 ? 1 : 2,
            gst: times(median, count, 0.02, random),
            bound: median * 0.97,
            flags: (r + i) % 17 ? [] : ["high-variance"],
          });
        }),
        { calibration: r < 3 ? calibration(200, random) : null },
      ),
    ),
  );
}

/** A document of one run with so many rows, each of its own size. */
export function wide(rows: number): ReportData {
  const random = randomness(11);
  return document_of([
    run(
      "sweep",
      Array.from({ length: rows }, (_, i) => {
        const bytes = 4 * Math.round(256 * 2 ** ((18 * i) / rows));
        const median = 40 + bytes * 3.6e-4 * (1 + 0.2 * random());
        return row({
          wiring: "single-switch(9)",
          algorithm: ["ring", "ps", "double-tree"][i % 3],
          N: 9,
          k: 1,
          gst: [median, median * 1.02],
          bound: bytes * 3.58e-4,
          bytes,
          workload: "",
          flags: i % 10 ? [] : ["few-samples"],
        });
      }),
    ),
  ]);
}
