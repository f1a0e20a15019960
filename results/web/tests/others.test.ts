import { describe, expect, it } from "vitest";
import { calibrated, calibration_figure } from "../src/figures/calibration";
import { context_table, flattened } from "../src/figures/context";
import { cost_figure } from "../src/figures/cost";
import { cumulative, distribution, distribution_figure, jitter } from "../src/figures/distribution";
import { verification, verification_figure } from "../src/figures/verification";
import { encode, run } from "../tools/fixture_rows";
import { column_of, option_of, plain_row, series_of, summary_of, view_of, view_of_all } from "./make";
import { document_of } from "../tools/fixture";

describe("distributions", () => {
  const sampled = (algorithm: string, values: number[]) =>
    plain_row(algorithm, "w", 2500, {
      gst_us: summary_of(2500, 2400, 2600),
      samples: { count: values.length * 3, every: 3, gst_us: encode(values), iteration_us: null, loss: null },
    });
  const view = view_of([sampled("ring", [2000, 2500, 4000]), sampled("bml", [1000, 1250]), plain_row("ps", "w", 7)]);

  it("draw every sample on its row's strip", () => {
    const figure = distribution_figure(view, {});
    expect(series_of(figure, "row 1").data).toEqual([
      [2, jitter(0)],
      [2.5, jitter(1)],
      [4, jitter(2)],
    ]);
    expect(series_of(figure, "row 2").data.map(([x]: number[]) => x)).toEqual([1, 1.25]);
    expect(series_of(figure, "median, its interval, p99").data[0]).toEqual([0, 2.5, 2.4, 2.6, 7.8]);
    expect(figure.notes[1]).toContain("one in 3 of 9");
    expect(column_of(figure, "drawn")).toEqual([3, 2]);
  });

  it("stay within their strips", () => {
    for (let i = 0; i < 1000; ++i) expect(Math.abs(jitter(i))).toBeLessThanOrEqual(0.28);
  });

  it("can be cumulative", () => {
    expect(cumulative(Float32Array.of(3, 1, 2, 4))).toEqual([
      [1, 0.25],
      [2, 0.5],
      [3, 0.75],
      [4, 1],
    ]);
    const long = cumulative(Float32Array.from({ length: 100_000 }, (_, i) => i));
    expect([long.length, long[0], long.at(-1)]).toEqual([800, [0, 1e-5], [99_999, 1]]);
    expect(series_of(distribution_figure(view, { shape: "cumulative" }), "bml").data).toEqual([
      [1, 50],
      [1.25, 100],
    ]);
  });

  it("have pages of ten rows", () => {
    const many = view_of(Array.from({ length: 23 }, (_, i) => sampled(`a${i}`, [1000 + i, 1001 + i])));
    expect(distribution.controls(many, {})[0]).toMatchObject({
      id: "rows",
      options: [{ value: "1 to 10 of 23" }, { value: "11 to 20 of 23" }, { value: "21 to 23 of 23" }],
    });
    expect(series_of(distribution_figure(many, { rows: "21 to 23 of 23" }), "row 1").data[0][0]).toBeCloseTo(1.02);
  });
});

describe("cost of gradients without prices beside some with", () => {
  const cost = { cut_us: 1, cut: "NICs", switches: 1, switch_ports: 4, nics: 4, cables: 4, price: null };
  const priced = { bytes: 8, elements: 2, wiring_cost: { ...cost, price: 99 } };
  const view = view_of([
    plain_row("ring", "v", 4000, { wiring_cost: cost }),
    plain_row("bml", "w", 2000, { wiring_cost: { ...cost, switch_ports: 8 } }),
    plain_row("ring", "v", 40, priced),
    plain_row("bml", "w", 20, priced),
  ]);

  it("is against what these have", () => {
    const xs = option_of(cost_figure(view, {})).series.flatMap((one: any) =>
      one.data.map((item: any) => item.value?.[0]),
    );
    expect(xs).toContain(4);
    expect(xs).toContain(8);
  });
});

describe("cost", () => {
  const cost = {
    cut_us: 900,
    cut: "each host's NICs",
    switches: 6,
    switch_ports: 18,
    nics: 12,
    cables: 24,
    price: null,
  };
  const view = view_of([
    plain_row("ring", "v", 4000, { wiring_cost: { ...cost, switch_ports: 9 }, t_f_us: 2000 }),
    plain_row("bml", "w", 2000, { wiring_cost: cost, t_f_us: 2000 }),
  ]);

  it("has a bar for cuts that differ by a head start, and another for those of other sizes", () => {
    const rows = [
      plain_row("ring", "v", 4000, { wiring_cost: { ...cost, switch_ports: 9 } }),
      ...[920, 910, 1800].map((cut_us) => plain_row("bml", "w", 4000, { wiring_cost: { ...cost, cut_us } })),
    ];
    expect(series_of(cost_figure(view_of(rows), {}), "cut").data).toEqual([
      [9, 0.9],
      [18, 0.91],
      [18, 1.8],
    ]);
  });

  it("is GST times what the wiring is made of", () => {
    const figure = cost_figure(view, {});
    expect(column_of(figure, "GST × switch ports")).toEqual([36, 36]);
    expect(column_of(figure, "GST × cables")).toEqual([96, 48]);
    expect(column_of(figure, "cut / GST")).toEqual([22.5, 45]);
    expect(figure.table().columns.map(({ title }) => title)).not.toContain("price");
    expect(series_of(figure, "bml, w").data[0].value).toEqual([18, 2]);
    expect(series_of(figure, "cut").data).toEqual([
      [9, 0.9],
      [18, 0.9],
    ]);
  });

  it("is a table alone where nothing can be compared", () =>
    expect(cost_figure(view_of([plain_row("ring", "v", 1, { wiring_cost: cost })]), {}).picture).toBeNull());
});

describe("calibration", () => {
  const file = {
    dilation: 200,
    wirings: {
      "w(1)": {
        expected_bytes_per_s: 25e6,
        together_bytes_per_s: 24.5e6,
        startup_us: 350,
        burst_bytes_per_s: null,
        machine_bound: true,
        links: [{ alone_bytes_per_s: 25.25e6, from: 3, to: 4, via: 1, at: 0 }],
      },
    },
  };
  const data = document_of([run("a", [plain_row("ring", "w(1)", 1)], { calibration: file })]);

  it("is undilated", () => {
    expect(calibrated(data.runs, ["a"])).toEqual([
      {
        run: "a",
        wiring: "w(1)",
        expected: 5,
        together: 4.9,
        alone: [{ name: "rank 3 to 4, port 1 to 0", rate: 5.05 }],
        startup_us: 1.75,
        burst: null,
        machine_bound: true,
      },
    ]);
  });

  it("is drawn in percent of what was expected", () => {
    const figure = calibration_figure(view_of_all(data));
    expect(series_of(figure, "a link alone").data).toEqual([
      { name: "rank 3 to 4, port 1 to 0", value: [expect.closeTo(101), expect.closeTo(-0.28)] },
    ]);
    expect(series_of(figure, "a link, all together").data).toEqual([[expect.closeTo(98), 0]]);
    expect(figure.notes[0]).toContain("w(1) (a)");
    expect(option_of(figure).xAxis.name).toContain("%");
  });

  it("may be anything, and is then left out", () =>
    expect(calibrated([run("a", [], { calibration: { wirings: { w: [1], v: null } } })], ["a"])).toEqual([]));
});

describe("verification", () => {
  const found = {
    file: "testbed/verification.json",
    finished: "2026-11-21T20:00:00Z",
    wiring: "w",
    passed: false,
    settings: { lossless: true, mtu: 9000 },
    checks: [
      { check: "link", passed: 8, failed: 0 },
      { check: "mtu", passed: 7, failed: 1 },
    ],
    failures: ["red port 1: MTU 1500, plan says 9000"],
    ignored: ["1 of 16 checks failed"],
  };
  const on_hosts = plain_row("ring", "w", 1, { backing: "hosts" });
  const view = view_of_all(
    document_of([
      run("a", [on_hosts], { verification: found }),
      run("b", [on_hosts]),
      run("c", [plain_row("ps", "w", 1)]),
    ]),
  );

  it("counts checks by kind, with settings and what failed", () => {
    const figure = verification_figure(view);
    expect(figure.table().rows).toEqual([
      ["a", "finished", "2026-11-21T20:00:00Z", null, null],
      ["a", "wiring", "w", null, null],
      ["a", "setting lossless", "true", null, null],
      ["a", "setting mtu", "9000", null, null],
      ["a", "check link", null, 8, 0],
      ["a", "check mtu", null, 7, 1],
      ["a", "failed", "red port 1: MTU 1500, plan says 9000", null, null],
      ["a", "ignored", "1 of 16 checks failed", null, null],
    ]);
  });

  it("says which runs had hosts that nobody verified", () =>
    expect(verification_figure(view).notes).toEqual([
      "a: 1 of 16 checks failed, 2026-11-21T20:00:00Z; measured in spite of that.",
      "b: measured on hosts that were not verified.",
    ]));

  it("is left out where no hosts were verified", () =>
    expect(verification.applies(view_of([plain_row("ring", "w", 1)]))).toBe(false));
});

describe("context", () => {
  it("is flat, without the experiment's text", () => {
    expect(flattened({ a: { b: [1, "x"], c: null }, d: [{ e: true }], experiment: { text: "long" } })).toEqual([
      ["a.b", "1 x"],
      ["a.c", "–"],
      ["d[0].e", "true"],
    ]);
  });

  it("shows what differs between runs", () => {
    const runs = [
      run("a", [], { context: { cpu: "one", os: "x" } }),
      run("b", [], { context: { cpu: "two", os: "x" } }),
    ];
    const rows = context_table(runs, ["a", "b"]).rows;
    expect(rows.find(([key]) => key === "cpu")).toEqual(["cpu", "differs", "one", "two"]);
    expect(rows.find(([key]) => key === "os")).toEqual(["os", "", "x", "x"]);
  });

  it("counts values of many runs", () => {
    const runs = Array.from({ length: 7 }, (_, i) => run(`${i}`, [], { context: { cpu: i === 3 ? "two" : "one" } }));
    expect(
      context_table(
        runs,
        runs.map((one) => one.name),
      ).rows.find(([key]) => key === "cpu"),
    ).toEqual(["cpu", "differs", "one (6 of 7 runs); two (1 of 7 runs)"]);
  });
});
