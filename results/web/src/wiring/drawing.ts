import type { PlanDrawing, Wiring } from "../data";
import { type SvgNode, svg } from "../svg";
import { type Palette, mixed_color } from "../theme";
import { number_text, plural, size_text } from "../units";
import { type Layout, type Line, lane_of, layout_of } from "./layout";
import { type Load, busiest_step, load_of } from "./load";

/** Drawings of more cables have no arrow heads, and drawings of more hosts have no names. */
const kMostArrows = 160;
const kMostNames = 96;
const kLegendHeight = 54;

/** Colour and width of a cable both grow with its bytes, so that those who see no colours see the width. */
function stroke_of(bytes: number, most: number, palette: Palette): { color: string; width: number } {
  const share = most > 0 ? bytes / most : 0;
  return { color: mixed_color(palette.bytes, share), width: 1.5 + 3 * share };
}

/** How much one direction of a cable carries, between nodes by their numbers. */
interface Carried {
  from: number;
  to: number;
  bytes: number;
}

/** What all cables of a drawing share: the bytes of the busiest, the colours, and whether there are arrow heads. */
interface Look {
  most: number;
  palette: Palette;
  arrows: boolean;
}

function arrow({ x1, y1, x2, y2 }: Line, color: string, width: number): SvgNode {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const size = 3.5 + width;
  const [x, y] = [x1 + dx * length * 0.72, y1 + dy * length * 0.72];
  const point = (along: number, across: number): string =>
    `${(x + dx * along - dy * across).toFixed(1)},${(y + dy * along + dx * across).toFixed(1)}`;
  return svg("polygon", {
    points: `${point(size, 0)} ${point(-size, size * 0.62)} ${point(-size, -size * 0.62)}`,
    fill: color,
  });
}

function direction(wiring: Wiring, layout: Layout, { from, to, bytes }: Carried, look: Look): SvgNode {
  const line = lane_of(layout.places[from], layout.places[to], 3.2, 12);
  const { color, width } = stroke_of(bytes, look.most, look.palette);
  const name = `${wiring.nodes![from].name} to ${wiring.nodes![to].name}: ${size_text(bytes)} (${number_text(bytes)} B)`;
  const ends = {
    x1: line.x1.toFixed(1),
    y1: line.y1.toFixed(1),
    x2: line.x2.toFixed(1),
    y2: line.y2.toFixed(1),
  };
  const drawn = svg("line", {
    ...ends,
    stroke: color,
    "stroke-width": width.toFixed(2),
    "stroke-linecap": "round",
  });
  return svg(
    "g",
    { class: "cable", "data-bytes": bytes },
    svg("title", {}, name),
    drawn,
    ...(look.arrows ? [arrow(line, color, width)] : []),
  );
}

function cables(wiring: Wiring, layout: Layout, load: Load, look: Look): SvgNode[] {
  const links = wiring.links!;
  const idle: SvgNode[] = [];
  const used: { bytes: number; node: SvgNode }[] = [];
  links.forEach(({ a, b }, i) => {
    const [p, q] = [layout.places[a], layout.places[b]];
    const ends = { x1: p.x.toFixed(1), y1: p.y.toFixed(1), x2: q.x.toFixed(1), y2: q.y.toFixed(1) };
    idle.push(svg("line", { ...ends, stroke: look.palette.grid, "stroke-width": 1 }));
    for (const [from, to, bytes] of [
      [a, b, load.ab[i]],
      [b, a, load.ba[i]],
    ]) {
      if (bytes > 0) used.push({ bytes, node: direction(wiring, layout, { from, to, bytes }, look) });
    }
  });
  // Busy cables last, so that they lie on top.
  return [...idle, ...used.sort((a, b) => a.bytes - b.bytes).map(({ node }) => node)];
}

function nodes(wiring: Wiring, layout: Layout, palette: Palette): SvgNode[] {
  const hosts = wiring.nodes!.filter((node) => node.layer === 0).length;
  const named = wiring.nodes!.length <= 2 * kMostNames && hosts <= kMostNames;
  return wiring.nodes!.map((node, i) => {
    const { x, y } = layout.places[i];
    const host = node.layer === 0;
    const size = named ? (host ? 10 : 9) : host ? 3.5 : 4.5;
    const look = {
      fill: host ? palette.surface : palette.muted,
      stroke: palette.ink,
      "stroke-width": named ? 1.25 : 0.75,
    };
    const shape = host
      ? svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: size, ...look })
      : svg("rect", {
          x: (x - size * 1.3).toFixed(1),
          y: (y - size * 0.8).toFixed(1),
          width: size * 2.6,
          height: size * 1.6,
          rx: 2,
          ...look,
        });
    const label = svg(
      "text",
      {
        x: x.toFixed(1),
        y: (y + 3.5).toFixed(1),
        "text-anchor": "middle",
        "font-size": 10,
        fill: palette.ink,
      },
      String(i),
    );
    return svg("g", {}, svg("title", {}, node.name), shape, ...(named && host ? [label] : []));
  });
}

/** The names of the layers at the left, and below each how many nodes it has. */
const layer_names = (layout: Layout, palette: Palette): SvgNode[] =>
  layout.rows.flatMap(({ name, y, count }) => [
    svg("text", { x: 2, y: y - 1, "font-size": 12, fill: palette.ink }, name),
    svg("text", { x: 2, y: y + 14, "font-size": 11, fill: palette.muted }, number_text(count)),
  ]);

function legend(most: number, y: number, palette: Palette): SvgNode[] {
  if (most === 0)
    return [svg("text", { x: 2, y: y + 20, "font-size": 12, fill: palette.muted }, "No cable carries anything here.")];
  const steps = 24;
  const width = 200;
  const blocks = Array.from({ length: steps }, (_, i) => {
    const { color, width: height } = stroke_of(((i + 0.5) / steps) * most, most, palette);
    return svg("rect", {
      x: (2 + (i * width) / steps).toFixed(1),
      y: (y + 14 - height).toFixed(1),
      width: (width / steps + 0.4).toFixed(1),
      height: (height * 2).toFixed(1),
      fill: color,
    });
  });
  const text = (x: number, anchor: string, words: string): SvgNode =>
    svg("text", { x, y: y + 36, "font-size": 11, fill: palette.muted, "text-anchor": anchor }, words);
  return [
    ...blocks,
    text(2, "start", "0"),
    text(2 + width, "end", size_text(most)),
    svg("text", { x: width + 16, y: y + 18, "font-size": 11, fill: palette.ink }, "per cable and direction"),
  ];
}

/** The wiring with what each direction of each cable carries in a step, or in all (step 0). */
export function draw_wiring(wiring: Wiring, plan: PlanDrawing, step: number, palette: Palette, width: number): SvgNode {
  const layout = layout_of(wiring, width);
  if (layout === null) return svg("svg", { width, height: 1 });
  const load = load_of(plan, step);
  const most = step === 0 ? load.busiest : busiest_step(plan);
  const look: Look = { most, palette, arrows: wiring.links!.length <= kMostArrows };
  const height = layout.height + kLegendHeight;
  const said = `${wiring.name}, ${plan.algorithm}: ${step_text(plan, step)}`;
  return svg(
    "svg",
    {
      width: Math.round(layout.width),
      height: Math.round(height),
      viewBox: `0 0 ${Math.round(layout.width)} ${Math.round(height)}`,
      "font-family": palette.font,
      role: "img",
      "aria-label": said,
    },
    ...layer_names(layout, palette),
    ...cables(wiring, layout, load, look),
    ...nodes(wiring, layout, palette),
    ...legend(most, layout.height, palette),
  );
}

/** A step in words: "step 3 of 16: 9 sends, busiest cable direction 1.37 MiB". */
export function step_text(plan: PlanDrawing, step: number): string {
  const busiest = `busiest cable direction ${size_text(load_of(plan, step).busiest)}`;
  if (step === 0 || plan.steps === null) return `all steps together: ${busiest}`;
  return `step ${step} of ${plan.steps.length}: ${plural(plan.steps[step - 1].sends.length, "send")}, ${busiest}`;
}
