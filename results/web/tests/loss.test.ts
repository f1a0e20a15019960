import { describe, expect, it } from "vitest";
import type { Row } from "../src/data";
import { descent, loss, loss_figure } from "../src/figures/loss";
import { encode, training } from "../tools/fixture_rows";
import { column_of, option_of, plain_row, series_of, view_of } from "./make";

/** Iterations of so many microseconds, and the loss of each. */
const trained = (schedule: string, times: number[], losses: number[], more: Partial<Row> = {}): Row =>
  plain_row("ring", "w", 700, {
    schedule,
    training: training(times, 1, 1, 1),
    samples: { count: times.length, every: 1, gst_us: "", iteration_us: encode(times), loss: encode(losses) },
    ...more,
  });

const rows = [
  trained("none", [3000, 1000, 2000], [4, 2, 1]),
  trained("wfbp", [500, 500, 1000], [4, 2.5, 0.5], { flags: ["late-compute"] }),
  plain_row("ring", "w", 700), // trains nothing
];

describe("loss against time", () => {
  const view = view_of(rows);
  const figure = loss_figure(view, {});

  it("stands at the time that iterations have taken until then", () => {
    expect(series_of(figure, "none").data).toEqual([
      [3, 4],
      [4, 2],
      [6, 1],
    ]);
    expect(series_of(figure, "wfbp").data.map(([time]: [number, number]) => time)).toEqual([0.5, 1, 2]);
    expect(option_of(figure).xAxis.name).toContain("(ms)");
  });

  it("has no line for a row without losses, and a dashed one for a row with flags", () => {
    expect(option_of(figure).series.length).toBe(2);
    expect(series_of(figure, "none").lineStyle.type).toBe("solid");
    expect(series_of(figure, "wfbp").lineStyle.type).not.toBe("solid");
  });

  it("lets each of thinned samples stand for those that were left out", () => {
    const { samples } = rows[0];
    const thinned = view_of([{ ...rows[0], samples: { ...samples, count: 9, every: 3 } }]);
    expect(descent(thinned.points[0]).map(([time]) => time)).toEqual([9000, 12000, 18000]);
    expect(loss_figure(thinned, {}).notes).toContain("Drawn: one iteration in 3.");
  });

  it("says the first and the last in its table", () => {
    expect(column_of(figure, "first loss")).toEqual([4, 4]);
    expect(column_of(figure, "last loss")).toEqual([1, 0.5]);
  });

  it("is left out where nothing was trained", () => {
    expect(loss.applies(view)).toBe(true);
    expect(loss.applies(view_of([rows[2]]))).toBe(false);
  });
});
