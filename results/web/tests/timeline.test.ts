import { describe, expect, it } from "vitest";
import type { Timeline } from "../src/data";
import type { Chart } from "../src/figure";
import { timeline, timeline_figure } from "../src/figures/timeline";
import { type Span, tracks_of, visible_spans } from "../src/figures/timeline_tracks";
import { palettes } from "../src/theme";
import { timeline as made } from "../tools/fixture_wirings";
import { column_of, option_of, plain_row, series_of, view_of } from "./make";

const one: Timeline = {
  iteration: 5,
  warmup: false,
  ranks: [
    {
      rank: 0,
      start_us: 0,
      end_us: 9000,
      compute_end_us: 6000,
      buckets: [{ ready_us: 3000, start_us: 3500, end_us: 9000 }],
      transfers: [
        [0, 1, 2, 1, 1, 0, 4096, 3600, 4000],
        [0, 0, 0, 0, 1, 0, 2048, 3700, 4100],
      ],
    },
    {
      rank: 1,
      start_us: 100,
      end_us: 9500,
      compute_end_us: 6500,
      buckets: [{ ready_us: 3100, start_us: 3500, end_us: 9500 }],
      transfers: [],
    },
  ],
};
const view = view_of([plain_row("ring", "w", 1, { N: 8, timeline: 0 }), plain_row("ps", "w", 1)], {
  timelines: [one],
});

describe("tracks", () => {
  const tracks = tracks_of(one, one.ranks);

  it("are computing, buckets and lanes of every rank", () => {
    expect(tracks.names).toEqual([
      "rank 0, computing",
      "rank 0, buckets",
      "rank 0, lane 0",
      "rank 0, lane 1",
      "rank 1, computing",
      "rank 1, buckets",
    ]);
  });

  it("say what was sent to whom", () => {
    expect(tracks.spans.find((span) => span.role === "send")).toEqual({
      track: 3,
      role: "send",
      from: 3600,
      to: 4000,
      text: "bucket 0, step 2: sends to rank 1 by port 0, 4 KiB",
      count: 1,
    });
  });

  it("are exposed from the last rank's computing to the last bucket's end", () =>
    expect(tracks.exposed).toEqual({ from: 6500, to: 9500 }));

  it("of no training job have neither computing nor exposed", () => {
    const plain = {
      ...one,
      ranks: one.ranks.map((rank) => ({ ...rank, compute_end_us: null, buckets: [] })),
    };
    expect(tracks_of(plain, plain.ranks).exposed).toBeNull();
    expect(tracks_of(plain, plain.ranks).names[0]).toBe("rank 0, result");
  });
});

describe("zooming", () => {
  const spans = Array.from({ length: 1000 }, (_, i): Span => ({
    track: 0,
    role: "send",
    from: 10 * i,
    to: 10 * i + 9,
    text: `${i}`,
    count: 1,
  }));

  it("joins what is too fine to see, and loses none", () => {
    const drawn = visible_spans(spans, 0, 10_000, 200);
    expect(drawn.length).toBeLessThan(60);
    expect(drawn.reduce((sum, span) => sum + span.count, 0)).toBe(1000);
    expect([drawn[0].from, drawn.at(-1)!.to]).toEqual([0, 9999]);
  });

  it("shows each when near, and only those", () => {
    expect(visible_spans(spans, 100, 149, 0.5).map((span) => span.text)).toEqual(["10", "11", "12", "13", "14"]);
  });

  it("does not join tracks or roles", () => {
    expect(
      visible_spans([spans[0], { ...spans[1], track: 1 }, { ...spans[2], role: "receive" }], 0, 100, 1e6),
    ).toHaveLength(3);
  });

  it("keeps 20,000 spans within what a picture has room for", () => {
    const many = made(9, 10, 2, 56, 300_000);
    const tracks = tracks_of(many, many.ranks);
    expect(tracks.spans.length).toBeGreaterThan(20_000);
    expect(visible_spans(tracks.spans, 0, tracks.end, (2 * tracks.end) / 800).length).toBeLessThan(
      tracks.names.length * 2 * 400,
    );
  });
});

describe("the figure", () => {
  const figure = timeline_figure(view, {});

  it("draws in the axis' unit", () => {
    expect(series_of(figure, "computing").data).toEqual([
      [0, 0, 6],
      [4, 0.1, 6.5],
    ]);
    expect(series_of(figure, "bucket waits").data).toEqual([
      [1, 3, 3.5],
      [5, 3.1, 3.5],
    ]);
    expect(series_of(figure, "exposed").data).toEqual([[0, 6.5, 9.5]]);
    expect(option_of(figure).xAxis.max).toBe(9.5);
  });

  it("draws a part when zoomed", () => {
    const series = (figure.picture as Chart).zoomed!(palettes.light, 3.4, 4.05, 800).series as any[];
    expect(series.find((entry) => entry.name === "send").data).toEqual([[3, 3.6, 4]]);
    expect(series.find((entry) => entry.name === "bucket waits").data).toHaveLength(2);
  });

  it("shows one rank when asked", () => {
    expect(option_of(timeline_figure(view, { rank: "1" })).yAxis.data).toEqual([
      "rank 1, computing",
      "rank 1, buckets",
    ]);
  });

  it("says which iteration, what was exposed and how many ranks were recorded", () => {
    expect(figure.notes.slice(1, 4)).toEqual([
      "Iteration 5.",
      "Exposed: 3 ms, from the last end of computing to the end of the last bucket, of the ranks that were recorded.",
      "2 of 8 ranks were recorded.",
    ]);
    expect(column_of(figure, "lasts")[0]).toBe(6000);
  });

  it("needs a recorded iteration", () => expect(timeline.applies(view_of([plain_row("ps", "w", 1)]))).toBe(false));
});
