import { figure_svg } from "../charts";
import { type Choices, type Control, type Family, type Figure, type View, chosen_of } from "../figure";
import { slug } from "../slug";
import { to_csv } from "../table";
import { palettes } from "../theme";
import { button, drop_down, make, save } from "./dom";
import { PictureView } from "./picture_view";
import { StepPlayer } from "./player";
import { table_view } from "./table_view";

const kSvgWidth = 760;

/** A family of figures on the page: its title and definition, choices, picture, and the table behind it. */
export class Card {
  readonly element: HTMLElement;
  readonly picture = new PictureView();
  figure: Figure;
  private chosen: Choices = {};
  private player: StepPlayer | null = null;
  private open = false;
  private near = false;
  private readonly title = make("h3");
  private readonly definition = make("p", { class: "definition" });
  private readonly choices = make("div", { class: "choices" });
  private readonly steps = make("div");
  private readonly notes = make("ul", { class: "notes" });
  private readonly data = make("div", { class: "data" });
  private readonly toggle: HTMLButtonElement;
  private readonly save_svg: HTMLButtonElement;
  private controls_shown = "";

  constructor(
    readonly family: Family,
    private view: View,
    readonly number: number,
  ) {
    const id = `figure-${family.id}`;
    this.title.id = `${id}-title`;
    this.data.id = `${id}-data`;
    this.toggle = button("Data", () => this.show_data(!this.open), {
      "aria-expanded": "false",
      "aria-controls": this.data.id,
    });
    this.save_svg = button("Save SVG", () => this.save_picture());
    const csv = button("Save CSV", () => save(`${this.file_name()}.csv`, to_csv(this.figure.table()), "text/csv"));
    const actions = make("div", { class: "actions" }, this.save_svg, this.toggle, csv);
    const head = make("header", {}, this.title, this.definition);
    this.element = make(
      "section",
      { class: "card", id, "aria-labelledby": this.title.id },
      head,
      this.choices,
      this.steps,
      this.picture.element,
      this.notes,
      actions,
      this.data,
    );
    this.figure = family.figure(view, this.chosen);
    this.write();
  }

  /** Other rows; what was chosen stays chosen where it still exists. */
  set_view(view: View): void {
    this.view = view;
    this.element.hidden = !this.family.applies(view);
    if (this.element.hidden) this.player?.stop();
    else this.refresh();
  }

  /** From now on it is drawn; before, only its texts are there. */
  come_near(): void {
    if (this.near) return;
    this.near = true;
    this.picture.draw(this.figure);
  }

  show_data(open: boolean): void {
    this.open = open;
    this.toggle.setAttribute("aria-expanded", String(open));
    this.data.replaceChildren(...(open ? [table_view(this.figure.table())] : []));
  }

  before_print(): void {
    if (!this.element.hidden) this.picture.for_print(this.figure);
  }

  choose(id: string, value: string): void {
    this.chosen = { ...this.chosen, [id]: value };
    this.refresh();
  }

  private refresh(): void {
    this.figure = this.family.figure(this.view, this.chosen);
    this.write();
    if (this.near) this.picture.draw(this.figure);
    if (this.open) this.show_data(true);
  }

  private write(): void {
    const { figure } = this;
    this.title.replaceChildren(
      make("span", { class: "figure-number" }, `${figure.picture ? "Figure" : "Table"} ${this.number}.`),
      ` ${figure.title}`,
    );
    this.definition.replaceChildren(figure.definition, " ", make("span", { class: "unit" }, `Unit: ${figure.unit}.`));
    this.notes.replaceChildren(...figure.notes.map((note) => make("li", {}, note)));
    this.save_svg.hidden = figure.picture === null;
    this.picture.element.hidden = figure.picture === null;
    if (!this.near) this.picture.reserve(figure);
    if (figure.picture === null && !this.open) this.show_data(true);
    this.write_controls();
  }

  /** Rebuilt only when they differ, so that the keyboard's focus stays where it is. */
  private write_controls(): void {
    const controls = this.family.controls(this.view, this.chosen);
    const now = JSON.stringify(
      controls.map((control) => [
        control,
        control.kind === "select" ? chosen_of(controls, this.chosen, control.id) : "",
      ]),
    );
    if (now === this.controls_shown) return;
    const before = (document.activeElement as HTMLElement | null)?.closest("label")?.textContent;
    this.controls_shown = now;
    this.player?.stop();
    this.player = null;
    this.steps.replaceChildren();
    this.choices.replaceChildren(...controls.flatMap((control) => this.control_view(control, controls)));
    const same = [...this.choices.querySelectorAll("label")].find(
      (label) => before && label.firstChild?.textContent && before.startsWith(label.firstChild.textContent),
    );
    same?.querySelector("select")?.focus();
  }

  private control_view(control: Control, controls: Control[]): HTMLElement[] {
    const value = chosen_of(controls, this.chosen, control.id);
    if (control.kind === "player") {
      this.player = new StepPlayer(control, Number(value), (step) => this.choose(control.id, String(step)));
      this.steps.replaceChildren(this.player.element);
      return [];
    }
    // A choice of one is no choice; the notes say what it is.
    if (control.options.length < 2) return [];
    return [drop_down(control.label, control.options, value, (one) => this.choose(control.id, one))];
  }

  private file_name(): string {
    return slug(`${this.family.id}-${Object.values(this.chosen).join("-")}`);
  }

  private save_picture(): void {
    const text = figure_svg(this.figure, palettes.print, kSvgWidth);
    if (text !== null) save(`${this.file_name()}.svg`, text, "image/svg+xml");
  }
}
