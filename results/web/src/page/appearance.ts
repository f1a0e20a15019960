import { type Palette, palettes } from "../theme";
import { button } from "./dom";

const kModes = ["auto", "light", "dark"] as const;
type Mode = (typeof kModes)[number];

let mode: Mode = "auto";
const dark_wanted = window.matchMedia("(prefers-color-scheme: dark)");

export function current_palette(): Palette {
  const dark = mode === "dark" || (mode === "auto" && dark_wanted.matches);
  return dark ? palettes.dark : palettes.light;
}

/** A button through auto, light and dark; `changed` runs whenever the colours do. Not remembered: a page has no place to. */
export function appearance_button(changed: () => void): HTMLButtonElement {
  const apply = (): void => {
    document.documentElement.dataset.theme = current_palette().name;
    changed();
  };
  const made = button("Theme: auto", () => {
    mode = kModes[(kModes.indexOf(mode) + 1) % kModes.length];
    made.textContent = `Theme: ${mode}`;
    apply();
  });
  dark_wanted.addEventListener("change", apply);
  document.documentElement.dataset.theme = current_palette().name;
  return made;
}
