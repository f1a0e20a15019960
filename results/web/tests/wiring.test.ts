import { describe, expect, it } from "vitest";
import type { PlanDrawing } from "../src/data";
import type { Drawing } from "../src/figure";
import { wiring, wiring_figure } from "../src/figures/wiring";
import { type SvgNode, to_text } from "../src/svg";
import { mixed_color, palettes } from "../src/theme";
import { draw_wiring, step_text } from "../src/wiring/drawing";
import { lane_of, layout_of } from "../src/wiring/layout";
import { busiest_step, load_of } from "../src/wiring/load";
import { bcube, fat_tree, plan, ring_sends, single_switch } from "../tools/fixture_wirings";
import { column_of, plain_row, view_of } from "./make";

describe("layouts", () => {
  it("put BCube(2,2)'s hosts below and a row of switches per level above", () => {
    const layout = layout_of(bcube(2, 2), 600)!;
    expect(layout.rows.map(({ name, count }) => [name, count])).toEqual([
      ["level 1", 2],
      ["level 0", 2],
      ["hosts", 4],
    ]);
    const [hosts, level0, level1] = [layout.places.slice(0, 4), layout.places.slice(4, 6), layout.places.slice(6, 8)];
    expect(new Set(hosts.map(({ y }) => y)).size).toBe(1);
    expect(hosts.map(({ x }) => x)).toEqual([...hosts.map(({ x }) => x)].sort((a, b) => a - b));
    expect(level1[0].y).toBeLessThan(level0[0].y);
    expect(level0[0].y).toBeLessThan(hosts[0].y);
    expect(layout.places.every(({ x }) => x > 0 && x < layout.width)).toBe(true);
  });

  it("run no cable of a BCube through a switch that it passes by", () => {
    const cube = bcube(3, 2);
    const layout = layout_of(cube, 800)!;
    for (const { a, b } of cube.links!.filter((link) => cube.nodes![link.b].layer === 2)) {
      const [p, q] = [layout.places[a], layout.places[b]];
      for (const other of layout.places.slice(9, 12)) {
        const x = p.x + ((q.x - p.x) * (other.y - p.y)) / (q.y - p.y);
        expect(Math.abs(x - other.x)).toBeGreaterThan(10);
      }
    }
  });

  it("have four layers for a Fat-Tree", () => {
    const layout = layout_of(fat_tree(4), 800)!;
    expect(layout.rows.map(({ name, count }) => [name, count])).toEqual([
      ["core", 4],
      ["aggregation", 8],
      ["edge", 8],
      ["hosts", 16],
    ]);
  });

  it("are circles where there are only hosts", () => {
    const torus = {
      name: "torus(2,2)",
      N: 4,
      k: 4,
      layers: ["hosts"],
      nodes: Array.from({ length: 4 }, (_, i) => ({ name: `${i}`, layer: 0 })),
      links: [],
    };
    expect(layout_of(torus, 500)!.ring).toBe(true);
  });

  it("grow wider than the page for many hosts, and are none for too many", () => {
    expect(layout_of(single_switch(200), 600)!.width).toBeGreaterThan(2000);
    expect(layout_of({ ...single_switch(4), nodes: null, links: null }, 600)).toBeNull();
  });

  it("keep both directions apart", () => {
    const [there, back] = [
      lane_of({ x: 0, y: 0 }, { x: 100, y: 0 }, 3, 10),
      lane_of({ x: 100, y: 0 }, { x: 0, y: 0 }, 3, 10),
    ];
    expect([there.y1, there.y2, back.y1, back.y2]).toEqual([3, 3, -3, -3]);
    expect([there.x1, there.x2]).toEqual([10, 90]);
  });
});

const star = single_switch(3);
const drawn: PlanDrawing = {
  wiring: star.name,
  algorithm: "ring",
  bytes: 6144,
  links: [
    { ab: 5000, ba: 100 },
    { ab: 200, ba: 0 },
    { ab: 0, ba: 5200 },
  ],
  steps: [
    {
      links: [
        [0, 4000, 100],
        [2, 0, 4100],
      ],
      sends: [
        [0, 2, 4000],
        [2, 0, 100],
      ],
    },
    {
      links: [
        [0, 1000, 0],
        [1, 200, 0],
        [2, 0, 1100],
      ],
      sends: [[0, 2, 1000]],
    },
  ],
};

describe("loads", () => {
  it("are of a step, or of all together", () => {
    expect([...load_of(drawn, 0).ab]).toEqual([5000, 200, 0]);
    expect([...load_of(drawn, 2).ba]).toEqual([0, 0, 1100]);
    expect([load_of(drawn, 0).busiest, load_of(drawn, 2).busiest, busiest_step(drawn)]).toEqual([5200, 1100, 4100]);
  });

  it("of the fixture's ring are 2 (N - 1) / N S on every cable", () => {
    const ring = plan(star, "ring", 3000, ring_sends(3, 3000));
    expect(ring.links).toEqual(Array(3).fill({ ab: 4000, ba: 4000 }));
  });

  it("are said", () => {
    expect(step_text(drawn, 1)).toBe("step 1 of 2: 2 sends, busiest cable direction 4.00 KiB");
    expect(step_text(drawn, 0)).toBe("all steps together: busiest cable direction 5.08 KiB");
  });
});

describe("the drawing", () => {
  const cables = (node: SvgNode): SvgNode[] =>
    node.children.flatMap((child) =>
      typeof child === "string" ? [] : child.attributes.class === "cable" ? [child] : cables(child),
    );
  const all = (step: number) => cables(draw_wiring(star, drawn, step, palettes.light, 600));

  it("has each direction that carries something, the busiest on top", () => {
    expect(all(0).map((cable) => cable.attributes["data-bytes"])).toEqual([100, 200, 5000, 5200]);
    expect(all(2).map((cable) => cable.attributes["data-bytes"])).toEqual([200, 1000, 1100]);
  });

  it("colours by bytes, on one scale for all steps", () => {
    const color = (cable: SvgNode): unknown => (cable.children[1] as SvgNode).attributes.stroke;
    expect(color(all(0)[3])).toBe(palettes.light.bytes.at(-1));
    expect(color(all(2)[2])).toBe(mixed_color(palettes.light.bytes, 1100 / 4100));
  });

  it("names what it shows", () => expect(to_text(all(0)[3])).toContain("switch 0 to host 2: 5.08 KiB (5200 B)"));
});

describe("the figure", () => {
  const view = view_of([plain_row("ring", star.name, 1, { plan: 0 })], {
    wirings: { [star.name]: star },
    plans: [drawn],
  });

  it("has a player for its steps and a table for each", () => {
    expect(wiring.controls(view, {}).map((control) => control.kind === "player" && control.steps)).toEqual([false, 2]);
    expect(column_of(wiring_figure(view, {}), "a to b")).toEqual([5000, 200, 0]);
    const step = wiring_figure(view, { step: "2" });
    expect(step.table().rows).toEqual([
      ["send", "rank 0", "rank 2", 1000],
      ["cable", "host 0", "switch 0", 1000],
      ["cable", "host 1", "switch 0", 200],
      ["cable", "switch 0", "host 2", 1100],
    ]);
    expect((step.picture as Drawing).kind).toBe("drawing");
  });

  it("says why it does not draw a wiring", () => {
    const undrawn = (name: string) => {
      const wiring = { ...star, name, nodes: null, links: null };
      return wiring_figure({ ...view, data: { ...view.data, wirings: { [star.name]: wiring } } }, {});
    };
    expect(undrawn(star.name).picture).toBeNull();
    expect(undrawn(star.name).notes[0]).toContain("too large to draw");
    expect(undrawn("graph(mine.yaml)").notes[0]).toContain("graphs are not drawn");
  });

  it("does without steps where there are too many", () => {
    const long = { ...view, data: { ...view.data, plans: [{ ...drawn, steps: null }] } };
    expect(wiring.controls(long, {})).toHaveLength(1);
    expect(wiring_figure(long, {}).notes[0]).toContain("too many steps");
  });
});
