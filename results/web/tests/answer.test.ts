import { describe, expect, it } from "vitest";
import { answer_figure, names_of, answered_in } from "../src/figures/answer";
import { document_of } from "../tools/fixture";
import { answer_of, comparison } from "../tools/fixture_answers";
import { run } from "../tools/fixture_rows";
import { column_of, option_of, plain_row, series_of, view_of, view_of_all } from "./make";

const sized = (bytes: number, times: [ring: number, bml: number]) =>
  (["ring", "bml"] as const).map((algorithm, i) => plain_row(algorithm, "w", times[i], { bytes }));

describe("the answer's figure", () => {
  it("has a bar for each row of the one comparison, the least first", () => {
    const runs = [run("a", [plain_row("ring", "w", 4000), plain_row("ps", "w", 5000), plain_row("bml", "w", 2000)])];
    const figure = answer_figure(
      view_of_all(document_of(runs, { answer: answer_of([comparison(runs, 0, [0, 1, 2])]) })),
    );
    expect(series_of(figure, "GST").data.map(({ value }: { value: number }) => value)).toEqual([2, 4, 5]);
    expect(option_of(figure).yAxis.data).toEqual(["bml on w", "ring on w", "ps on w"]);
    expect(column_of(figure, "next / least")).toEqual([2]);
    expect(figure.notes).toEqual([]);
  });

  const runs = [run("a", [...sized(4000, [10, 5]), ...sized(8000, [6, 18]), ...sized(9000, [1, 4])])];
  const of = (rows: number[], gradients: string, more = {}) => comparison(runs, 0, rows, { gradients, ...more });
  const answer = answer_of([
    of([0, 1], "4 KB"),
    of([2, 3], "8 KB"),
    of([4, 5], "9 KB", { leads: false, sentence: "Simulated." }),
  ]);
  const view = view_of_all(document_of(runs, { answer }));

  it("has a dot for each comparison that the sentence is about", () => {
    const figure = answer_figure(view);
    expect(series_of(figure, "factor").data.map(({ value }: { value: number[] }) => value)).toEqual([
      [2, 0],
      [3, 1],
    ]);
    expect(column_of(figure, "least by")).toEqual(["bml on w", "ring on w", "ring on w"]);
    expect(figure.notes).toContain("Simulated.");
  });

  it("names comparisons by what tells them apart", () =>
    expect(names_of(answered_in(view), view)).toEqual([
      "3.906 KiB\nbml on w",
      "7.813 KiB\nring on w",
      "8.789 KiB\nring on w",
    ]));

  it("leaves out comparisons of which a filter hides a row", () => {
    const shown = { ...view, points: view.points.filter(({ row }) => row.bytes !== 4000) };
    expect(answered_in(shown).map(({ comparison: { gradients } }) => gradients)).toEqual(["8 KB", "9 KB"]);
  });

  it("is a matrix where a place and a schedule are to be chosen", () => {
    const job = (algorithm: string, schedule: string, gst: number) => plain_row(algorithm, "w", gst, { schedule });
    const rows = [job("ring", "a", 4000), job("ring", "b", 3000), job("bml", "a", 2000), job("bml", "b", 1000)];
    const all = [run("a", rows)];
    const matrix = comparison(all, 0, [3, 2, 1, 0], { question: "matrix" });
    const figure = answer_figure(view_of_all(document_of(all, { answer: answer_of([matrix]) })));
    expect(option_of(figure).xAxis.data).toEqual(["a", "b"]);
    expect(option_of(figure).yAxis.data).toEqual(["bml on w", "ring on w"]);
    expect(series_of(figure, "times").data).toEqual([
      [1, 0, 1],
      [0, 0, 2],
      [1, 1, 3],
      [0, 1, 4],
    ]);
  });

  it("is of all rows where none competes", () => {
    const figure = answer_figure(view_of([plain_row("ring", "w", 4000)]));
    expect(option_of(figure).series.length).toBeGreaterThan(0);
    expect(figure.title).toBe("What was synchronized, and how fast");
  });
});
