import { figure_svg } from "./charts";
import { type Choices, type Family, type View, chosen_of } from "./figure";
import { families } from "./figures/all";
import { points_of } from "./points";
import { read_report } from "./read";
import { slug } from "./slug";
import { palettes } from "./theme";

/** In CSS pixels: 16 cm, a page's text. */
const kWidth = 605;

/** Every choice that is worth a figure of its own; later controls may depend on earlier choices. */
export function paper_choices(family: Family, view: View, chosen: Choices = {}, from = 0): Choices[] {
  const controls = family.controls(view, chosen);
  const control = controls[from];
  if (control === undefined) return [chosen];
  if (control.kind === "player" || control.paper === "first") {
    return paper_choices(family, view, { ...chosen, [control.id]: chosen_of(controls, chosen, control.id) }, from + 1);
  }
  return control.options.flatMap((option) =>
    paper_choices(family, view, { ...chosen, [control.id]: option.value }, from + 1),
  );
}

function named(files: Record<string, string>, stem: string): string {
  for (let count = 1; ; ++count) {
    const name = `${stem}${count === 1 ? "" : `-${count}`}.svg`;
    if (!Object.hasOwn(files, name)) return name;
  }
}

/** All pictures of a report, by file name. */
export function paper(text: string): Record<string, string> {
  const data = read_report(text);
  const view: View = { data, points: points_of(data) };
  const files: Record<string, string> = {};
  for (const family of families.filter((one) => one.applies(view))) {
    const all = paper_choices(family, view);
    for (const chosen of all) {
      const drawn = figure_svg(family.figure(view, chosen), palettes.print, kWidth);
      const each = family
        .controls(view, chosen)
        .filter((control) => control.kind === "select" && control.paper === "each" && control.options.length > 1);
      if (drawn !== null)
        files[named(files, slug([family.id, ...each.map((control) => chosen[control.id])].join("-")))] = drawn;
    }
  }
  return files;
}
