import type { Wiring } from "../data";

/** The centre of a node, in pixels. */
export interface Place {
  x: number;
  y: number;
}

export interface Layout {
  width: number;
  height: number;
  places: Place[]; // by node
  rows: { name: string; y: number; count: number }[]; // layers, from the top; of a ring: none
  ring: boolean;
}

const kMargin = 34;
const kNames = 92; // at the left, for the layers' names
const kRowGap = 118;
/** Hosts are at least so far apart that they can be told apart. Wide drawings grow wider than the page. */
const kLeastGap = 11;
/** How far the lowest and the highest level are apart sideways, in gaps between switches. */
const kStagger = 0.3;

/** Lays out layers from the bottom, each spread evenly. A BCube's levels stand above its hosts, one by one. */
function layered(wiring: Wiring, nodes: NonNullable<Wiring["nodes"]>, width: number): Layout {
  const layers = wiring.layers.map((_, layer) => nodes.flatMap((node, i) => (node.layer === layer ? [i] : [])));
  const widest = Math.max(...layers.map((layer) => layer.length));
  const full = Math.max(width, kNames + kMargin + widest * kLeastGap);
  const places: Place[] = nodes.map(() => ({ x: 0, y: 0 }));
  const y_of = (layer: number): number => kMargin + (layers.length - 1 - layer) * kRowGap;
  // Where cables pass a layer by, as in a BCube, the layers are staggered, or they would run through its switches.
  const passes = wiring.links!.some(({ a, b }) => Math.abs(nodes[a].layer - nodes[b].layer) > 1);
  const stagger = (l: number): number =>
    passes && l > 0 && layers.length > 2 ? kStagger * ((l - 1) / (layers.length - 2) - 0.5) : 0;
  layers.forEach((layer, l) => {
    const gap = (full - kNames - kMargin) / layer.length;
    layer.forEach((node, i) => (places[node] = { x: kNames + (i + 0.5 + stagger(l)) * gap, y: y_of(l) }));
  });
  const rows = wiring.layers.map((name, layer) => ({ name, y: y_of(layer), count: layers[layer].length })).reverse();
  return { width: full, height: y_of(0) + kMargin + 8, places, rows, ring: false };
}

/** Lays out hosts alone, as of a torus, on a circle: clockwise, with rank 0 at the top. */
function ringed(count: number, width: number): Layout {
  const size = Math.max(Math.min(width, 620), (count * 20) / Math.PI + 2 * kMargin);
  const radius = size / 2 - kMargin;
  const places = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return {
      x: Math.max(size, width) / 2 + radius * Math.cos(angle),
      y: size / 2 + radius * Math.sin(angle),
    };
  });
  return { width: Math.max(size, width), height: size, places, rows: [], ring: true };
}

/** The layout of a wiring, or null where it is too large to be drawn. */
export function layout_of(wiring: Wiring, width: number): Layout | null {
  const { nodes } = wiring;
  if (nodes === null || wiring.links === null) return null;
  return nodes.every((node) => node.layer === 0) ? ringed(nodes.length, width) : layered(wiring, nodes, width);
}

export interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** The line of one direction: beside the middle, to the right of who travels, short of both nodes. */
export function lane_of(from: Place, to: Place, aside: number, clear: number): Line {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const cut = Math.min(clear, length * 0.3);
  const shift = { x: -dy * aside, y: dx * aside };
  return {
    x1: from.x + dx * cut + shift.x,
    y1: from.y + dy * cut + shift.y,
    x2: to.x - dx * cut + shift.x,
    y2: to.y - dy * cut + shift.y,
  };
}
