import type { ReportData } from "./data";
import { families, kSections } from "./figures/all";
import type { View } from "./figure";
import { appearance_button } from "./page/appearance";
import { Card } from "./page/card";
import { button, make } from "./page/dom";
import { Filters } from "./page/filters";
import { overview_view, problems_of } from "./page/overview_view";
import { points_of } from "./points";
import { UnreadableReport, read_report } from "./read";
import { plural } from "./units";

declare global {
  interface Window {
    /** For tests: the document and the cards made of it. */
    gradwire?: { view: View; cards: Card[]; print: (on: boolean) => void };
  }
}

/** Cards this near to what is seen are drawn. */
const kNear = "600px";
const kDrawnAtOnce = 2;

function sections(view: View, cards: Card[]): HTMLElement[] {
  return kSections.flatMap(([id, title]) => {
    const these = cards.filter((card) => card.family.section === id);
    const extra = id === "overview" ? overview_view(view) : [];
    if (these.length === 0 && extra.length === 0) return [];
    return [
      make(
        "section",
        { id, class: "part", "aria-labelledby": `${id}-title` },
        make("h2", { id: `${id}-title` }, title),
        ...extra,
        ...these.map((card) => card.element),
      ),
    ];
  });
}

function watch(cards: Card[]): void {
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        watcher.unobserve(entry.target);
        cards.find((card) => card.element === entry.target)?.come_near();
      }
    },
    { rootMargin: kNear },
  );
  for (const card of cards) watcher.observe(card.element);
  const widths = new ResizeObserver(() => requestAnimationFrame(() => cards.forEach((card) => card.picture.fit())));
  widths.observe(document.querySelector("main")!);
}

function print_with(cards: Card[]): (on: boolean) => void {
  const print = (on: boolean): void => cards.forEach((card) => (on ? card.before_print() : card.picture.after_print()));
  window.addEventListener("beforeprint", () => print(true));
  window.addEventListener("afterprint", () => print(false));
  return print;
}

function name_of(data: ReportData): string {
  if (data.runs.length === 1) return data.runs[0].name || "Report";
  if (data.runs.length === 0 && data.jobs.length > 0) return data.jobs[0].name || "A job";
  if (data.runs.length === 0 && data.companies.length > 0) return plural(data.companies[0].jobs.length, "job");
  return plural(data.runs.length, "run");
}

/** What the page opens with. What went wrong stands further down, so a line says that it is there. */
function header(view: View): HTMLElement {
  const { data } = view;
  const problems = problems_of(data).length;
  return make(
    "header",
    { class: "top" },
    make("p", { class: "kicker" }, "Gradwire report"),
    make("h1", {}, name_of(data)),
    make("p", { class: "answer" }, data.answer.sentence),
    ...(problems > 0
      ? [
          make(
            "p",
            { class: "warned" },
            make("a", { href: "#overview" }, `${plural(problems, "problem")} with these runs`),
          ),
        ]
      : []),
  );
}

/** Who made the page, and what can be done with all figures at once. */
function about(data: ReportData, cards: Card[]): HTMLElement {
  const theme = appearance_button(() => cards.forEach((card) => card.picture.redraw()));
  let open = false;
  const all_data: HTMLButtonElement = button("Open all data", () => {
    open = !open;
    all_data.textContent = open ? "Close all data" : "Open all data";
    cards.forEach((card) => card.element.hidden || card.show_data(open || card.figure.picture === null));
  });
  return make(
    "div",
    { class: "about" },
    make("p", { class: "made" }, `Made ${data.generated.replace("T", " ").replace("Z", " UTC")} by ${data.program}.`),
    make(
      "div",
      { class: "tools" },
      theme,
      all_data,
      button("Print", () => window.print()),
    ),
  );
}

function navigation(parts: HTMLElement[]): HTMLElement {
  const links = parts.map((part) =>
    make("li", {}, make("a", { href: `#${part.id}` }, part.querySelector("h2")!.textContent ?? part.id)),
  );
  return make("nav", { "aria-label": "Sections" }, make("ol", {}, ...links));
}

function open_page(text: string): void {
  const data = read_report(text);
  const view: View = { data, points: points_of(data) };
  const cards = families.filter((family) => family.applies(view)).map((family, i) => new Card(family, view, i + 1));
  document.title = `${name_of(data)} – Gradwire report`;
  const parts = sections(view, cards);
  const filters = new Filters(view, (filtered) => {
    cards.forEach((card) => card.set_view(filtered));
    for (const part of parts)
      part.classList.toggle(
        "empty",
        part.id !== "overview" && [...part.querySelectorAll<HTMLElement>(".card")].every((card) => card.hidden),
      );
  });
  const opening = parts.filter((part) => part.id === "answer");
  const others = parts.filter((part) => part.id !== "answer");
  document.body.replaceChildren(
    make("a", { class: "skip", href: "#content" }, "Skip to the figures"),
    header(view),
    make("main", { id: "content" }, ...opening, navigation(parts), about(data, cards), filters.element, ...others),
  );
  window.gradwire = { view, cards, print: print_with(cards) };
  cards.slice(0, kDrawnAtOnce).forEach((card) => card.come_near());
  watch(cards);
  performance.mark("gradwire-drawn");
}

try {
  open_page(document.getElementById("gradwire-data")?.textContent ?? "");
} catch (error) {
  if (!(error instanceof UnreadableReport)) throw error;
  document.body.replaceChildren(
    make(
      "main",
      { class: "unreadable" },
      make("h1", {}, "Gradwire report"),
      make("p", { role: "alert" }, error.message),
    ),
  );
}
