import type { PlanDrawing, Wiring } from "../data";
import { type Choices, type Control, type Family, type Figure, type View, chosen_of, select } from "../figure";
import { distinct } from "../points";
import type { Cell, Table } from "../table";
import { number_text, size_text } from "../units";
import { draw_wiring, step_text } from "../wiring/drawing";
import { load_of } from "../wiring/load";

/** Plans of the rows shown, by what they are called. */
function plans_of(view: View): Map<string, PlanDrawing> {
  const indices = distinct(view.points.flatMap((p) => (p.row.plan === null ? [] : [p.row.plan])));
  const plans = indices
    .flatMap((i) => view.data.plans[i] ?? [])
    .filter((plan) => Object.hasOwn(view.data.wirings, plan.wiring));
  const name = (plan: PlanDrawing): string => `${plan.algorithm} on ${plan.wiring}`;
  const names = plans.map(name);
  const unique = (plan: PlanDrawing): string =>
    names.filter((one) => one === name(plan)).length > 1 ? `${name(plan)}, ${size_text(plan.bytes)}` : name(plan);
  return new Map(plans.map((plan) => [unique(plan), plan]));
}

function controls(view: View, chosen: Choices): Control[] {
  const plans = plans_of(view);
  const which = select("plan", "Plan", [...plans.keys()]);
  const plan = plans.get(chosen_of([which], chosen, "plan"))!;
  const drawn = view.data.wirings[plan.wiring].nodes !== null;
  if (!drawn || plan.steps === null || plan.steps.length === 0) return [which];
  return [
    which,
    {
      kind: "player",
      id: "step",
      label: "Step",
      steps: plan.steps.length,
      say: (step) => step_text(plan, step),
    },
  ];
}

const node_name = (wiring: Wiring, node: number): string => wiring.nodes?.[node]?.name ?? `node ${node}`;

/** A cable a line: what it carries in this step, both ways. */
function cable_table(wiring: Wiring, plan: PlanDrawing, step: number): Table {
  const load = load_of(plan, step);
  const rows = (wiring.links ?? []).map((link, i): Cell[] => [
    node_name(wiring, link.a),
    node_name(wiring, link.b),
    link.speed,
    load.ab[i],
    load.ba[i],
  ]);
  return {
    caption: `${plan.algorithm} on ${plan.wiring}, ${step_text(plan, step)}`,
    columns: [
      { title: "from end a" },
      { title: "to end b" },
      { title: "speed", unit: "link rates" },
      { title: "a to b", unit: "B" },
      { title: "b to a", unit: "B" },
    ],
    rows,
  };
}

function sends_table(plan: PlanDrawing, step: number): Table {
  return {
    caption: `${plan.algorithm} on ${plan.wiring}, sends of ${step_text(plan, step)}`,
    columns: [{ title: "from rank" }, { title: "to rank" }, { title: "bytes", unit: "B" }],
    rows: plan.steps![step - 1].sends.map((send) => [...send]),
  };
}

function why_not_drawn(wiring: Wiring): string {
  const why = wiring.name.startsWith("graph(") ? "graphs are not drawn" : "too large to draw";
  return `${wiring.name} has ${number_text(wiring.N)} hosts with ${wiring.k} NICs each: ${why}.`;
}

export function wiring_figure(view: View, chosen: Choices): Figure {
  const options = controls(view, chosen);
  const plan = plans_of(view).get(chosen_of(options, chosen, "plan"))!;
  const wiring = view.data.wirings[plan.wiring];
  const step = Number(chosen_of(options, chosen, "step") || 0);
  const drawn = wiring.nodes !== null && wiring.links !== null;
  const undrawn =
    plan.steps === null && drawn ? ["It has too many steps to play: the drawing is of all together."] : [];
  return {
    title: "The wiring, and what an algorithm sends over it",
    definition: `Hosts at the bottom (by rank), switches above, layer by layer; each direction of a cable by itself, its colour and width by the bytes that it carries in ${step === 0 ? "all steps together" : `step ${step}`}. Colours mean the same in every step.`,
    unit: "bytes (KiB, MiB)",
    notes: [
      ...(drawn ? [] : [why_not_drawn(wiring)]),
      ...undrawn,
      `${plan.algorithm} sums S = ${size_text(plan.bytes, 4)} over ${number_text(wiring.N)} hosts.`,
    ],
    picture: drawn
      ? {
          kind: "drawing",
          draw: (palette, width) => draw_wiring(wiring, plan, step, palette, width),
        }
      : null,
    table: () =>
      step > 0 && plan.steps
        ? joined(sends_table(plan, step), cable_table(wiring, plan, step))
        : cable_table(wiring, plan, step),
  };
}

/** A step's sends and what its cables carry, in one table. */
function joined(sends: Table, cables: Table): Table {
  return {
    caption: sends.caption,
    columns: [{ title: "what" }, { title: "from" }, { title: "to" }, { title: "bytes", unit: "B" }],
    rows: [
      ...sends.rows.map(([from, to, bytes]): Cell[] => ["send", `rank ${from}`, `rank ${to}`, bytes]),
      ...cables.rows
        .flatMap(([a, b, , ab, ba]): Cell[][] => [
          ["cable", a, b, ab],
          ["cable", b, a, ba],
        ])
        .filter((row) => row[3] !== 0),
    ],
  };
}

export const wiring: Family = {
  id: "wiring",
  section: "wiring",
  applies: (view) => plans_of(view).size > 0,
  controls,
  figure: wiring_figure,
};
