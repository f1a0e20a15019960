import type { View } from "../figure";
import { type Point, distinct, gradients_of } from "../points";
import { plural } from "../units";
import { button, drop_down, make } from "./dom";

type Field = "run" | "backing" | "gradients" | "wiring" | "algorithm";
const kFields: [Field, string, (p: Point) => string][] = [
  ["run", "Run", (p) => p.run_label],
  ["backing", "Backing", (p) => p.row.backing],
  ["gradients", "Gradients", gradients_of],
  ["wiring", "Wiring", (p) => p.row.wiring],
  ["algorithm", "Algorithm", (p) => p.row.algorithm],
];
/** No field's values can be empty, so this cannot be one of them. */
const kEvery = "";

/** What the reader wants to see, for all figures at once. */
export class Filters {
  readonly element = make("form", { class: "filters", "aria-label": "Filters for all figures" });
  private chosen: Partial<Record<Field, string>> = {};
  private untainted_only = false;

  constructor(
    private readonly all: View,
    private readonly changed: (view: View) => void,
  ) {
    this.element.addEventListener("submit", (event) => event.preventDefault());
    this.build();
  }

  private view(): View {
    const points = this.all.points.filter(
      (p) =>
        kFields.every(
          ([field, , value]) => (this.chosen[field] ?? kEvery) === kEvery || value(p) === this.chosen[field],
        ) && !(this.untainted_only && p.row.flags.length),
    );
    return { data: this.all.data, points };
  }

  private build(): void {
    const parts: HTMLElement[] = [];
    for (const [field, label, value] of kFields) {
      const values = distinct(this.all.points.map(value));
      if (values.length < 2) continue;
      const options = [
        { value: kEvery, text: `all ${values.length}` },
        ...values.map((one) => ({ value: one, text: one })),
      ];
      parts.push(
        drop_down(label, options, this.chosen[field] ?? kEvery, (one) => this.choose(() => (this.chosen[field] = one))),
      );
    }
    if (this.all.points.some((p) => p.row.flags.length)) parts.push(this.taint_box());
    const said = make("output", { class: "said", "aria-live": "polite" }, this.count_text());
    if (parts.length)
      this.element.replaceChildren(
        ...parts,
        button("Show all", () => this.reset()),
        said,
      );
  }

  private taint_box(): HTMLLabelElement {
    const box = make("input", { type: "checkbox" });
    box.addEventListener("change", () => this.choose(() => (this.untainted_only = box.checked)));
    return make("label", { class: "choice check" }, box, make("span", {}, "hide rows with flags"));
  }

  private choose(change: () => void): void {
    change();
    const view = this.view();
    const said = this.element.querySelector("output");
    if (said) said.textContent = this.count_text();
    this.changed(view);
  }

  private reset(): void {
    this.chosen = {};
    this.untainted_only = false;
    this.build();
    this.changed(this.view());
  }

  private count_text(): string {
    return `${plural(this.view().points.length, "row")} of ${this.all.points.length}`;
  }
}
