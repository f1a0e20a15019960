import type { PlanDrawing } from "../data";

/** What every cable carries, by the wiring's links. */
export interface Load {
  ab: Float64Array;
  ba: Float64Array;
  busiest: number; // bytes of the busiest direction
}

const busiest_of = (ab: Float64Array, ba: Float64Array): number =>
  [ab, ba].reduce((most, list) => list.reduce((a, b) => Math.max(a, b), most), 0);

/** Step 1 to n, or 0: all together. */
export function load_of(plan: PlanDrawing, step: number): Load {
  const ab = new Float64Array(plan.links.length);
  const ba = new Float64Array(plan.links.length);
  if (step === 0 || plan.steps === null) {
    plan.links.forEach((link, i) => ([ab[i], ba[i]] = [link.ab, link.ba]));
  } else {
    for (const [link, forth, back] of plan.steps[step - 1].links) [ab[link], ba[link]] = [forth, back];
  }
  return { ab, ba, busiest: busiest_of(ab, ba) };
}

/** The busiest direction in any one step, so that colours mean the same in every step. */
export function busiest_step(plan: PlanDrawing): number {
  return (plan.steps ?? []).reduce((most, step) => step.links.reduce((a, [, ab, ba]) => Math.max(a, ab, ba), most), 0);
}
