import type { Answer, Comparison, Row, Run } from "../src/data";

const time_of = (row: Row, what: Comparison["what"]): number =>
  what === "iteration" ? row.training!.iteration_us.median : row.gst_us.median;

/** A comparison of these rows of a run, as the program would order them. */
export function comparison(runs: Run[], run: number, rows: number[], more: Partial<Comparison> = {}): Comparison {
  const question = more.question ?? "place";
  const what = more.what ?? "GST";
  const time = (at: number): number => time_of(runs[run].rows[at], what);
  const order = [...rows].sort((a, b) => time(a) - time(b));
  const ratio = time(order[1]) / time(order[0]);
  const names = order.map((at) => {
    const { algorithm, wiring, schedule } = runs[run].rows[at];
    return question === "schedule" ? schedule : `${algorithm} on ${wiring}`;
  });
  return {
    run,
    question,
    what,
    gradients: "lenet5 (12.49 MiB)",
    rows: order,
    names,
    lead: {
      ratio,
      interval: { low: ratio * 0.99, high: ratio * 1.01, confidence: 0.951 },
      gap: null,
      surety: "interval",
      clear: true,
    },
    leads: true,
    sentence: `Emulated, ${names[0]} takes the least time; ${names[1]} takes ${ratio.toFixed(2)} times as long.`,
    ...more,
  };
}

/** An answer of as many words as the program's are. */
export const answer_of = (comparisons: Comparison[]): Answer => ({
  sentence:
    comparisons.length === 1
      ? comparisons[0].sentence
      : "Emulated, bml on bcube(3,2) takes the least time in all 5 comparisons of algorithms and wirings (clearly: the next takes 1.02 to 1.99 times as long); 2 of these rest on flagged rows; emulated, mg-wfbp has the shortest iterations of resnet50 (97.49 MiB, batch 64) between 8 hosts with ring on single-switch(8), 302.4 ms; optimum takes 302.4 ms, 1 times as long (95 % sure to be 0.999 to 1.001 times; 12 and 12 samples).",
  comparisons,
});

/** Rows of a run that fulfil a condition, by their places. */
export const places = (run: Run, wanted: (row: Row) => boolean): number[] =>
  run.rows.flatMap((row, i) => (wanted(row) ? [i] : []));

/** What the sample's first three runs ask: a wiring, four batch sizes, a schedule. */
export function sample_answer(runs: Run[]): Answer {
  const batches = [128, 256, 512, 1024].map((batch) =>
    comparison(
      runs,
      1,
      places(runs[1], (row) => row.batch === batch),
      { what: "iteration", gradients: `lenet5 (12.49 MiB, batch ${batch})` },
    ),
  );
  const of_backing = (run: number, backing: string, N: number): number[] =>
    places(runs[run], (row) => row.backing === backing && row.N === N);
  return answer_of([
    comparison(runs, 0, of_backing(0, "emulated", 9)),
    comparison(runs, 0, of_backing(0, "simulated", 9), { leads: false }),
    ...batches,
    comparison(runs, 2, of_backing(2, "emulated", 8), { question: "schedule", what: "iteration" }),
  ]);
}
