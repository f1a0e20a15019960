import type { EChartsType } from "echarts/core";
import { figure_svg, open_chart } from "../charts";
import type { Chart, Drawing, Figure } from "../figure";
import { to_dom } from "../svg";
import { palettes } from "../theme";
import { current_palette } from "./appearance";
import { button, make } from "./dom";

const kPrintWidth = 680;
const kDrawingHeight = 450; // before it is known

/** A figure's picture on the page: drawn when asked to, again when the theme or the width changes, as SVG on paper. */
export class PictureView {
  readonly element = make("div", { class: "picture" });
  private readonly screen = make("div", { class: "on-screen" });
  private readonly paper = make("div", { class: "on-paper" });
  private chart: EChartsType | null = null;
  private figure: Figure | null = null;
  private window: [number, number] = [0, 100]; // of a zoomed chart, in percent

  constructor() {
    this.element.append(this.screen, this.paper);
  }

  get drawn(): boolean {
    return this.figure !== null;
  }

  /** For tests: what ECharts holds. */
  get option(): unknown {
    return this.chart?.getOption() ?? null;
  }

  draw(figure: Figure): void {
    const keep_zoom = this.figure?.picture?.kind === "chart" && this.figure.notes[0] === figure.notes[0];
    if (!keep_zoom) this.window = [0, 100];
    this.figure = figure;
    this.screen.style.minHeight = "";
    this.redraw();
  }

  redraw(): void {
    const picture = this.figure?.picture;
    if (!picture) return;
    this.element.dataset.width = String(this.width());
    if (picture.kind === "chart") this.draw_chart(picture);
    else this.draw_drawing(picture);
  }

  /** Takes the room that it will need, so that nothing jumps when it is drawn later. */
  reserve(figure: Figure): void {
    const height = figure.picture?.kind === "chart" ? figure.picture.height : kDrawingHeight;
    this.screen.style.minHeight = `${height}px`;
  }

  /** Fits the width that the page has now. */
  fit(): void {
    if (this.figure && Number(this.element.dataset.width) !== this.width()) this.redraw();
  }

  /** Print has no canvas and no dark: an SVG on white stands in. */
  for_print(figure: Figure): void {
    const text = figure_svg(figure, palettes.print, kPrintWidth);
    if (text === null) return;
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    this.paper.replaceChildren(document.importNode(root, true));
  }

  after_print(): void {
    this.paper.replaceChildren();
  }

  private width(): number {
    return Math.max(240, Math.floor(this.screen.clientWidth));
  }

  /** A wiring of many hosts is wider than the page, and scrolls; by keyboard, too. */
  private draw_drawing(picture: Drawing): void {
    const drawn = picture.draw(current_palette(), this.width());
    const scrolls = Number(drawn.attributes.width) > this.width();
    this.screen.classList.toggle("scrolls", scrolls);
    if (scrolls) this.screen.tabIndex = 0;
    else this.screen.removeAttribute("tabindex");
    this.screen.replaceChildren(to_dom(drawn));
  }

  private draw_chart(picture: Chart): void {
    const palette = current_palette();
    const width = this.width();
    this.chart?.dispose();
    const box = make("div", {
      class: "chart",
      role: "img",
      "aria-label": this.spoken(),
      style: `height: ${picture.height}px`,
    });
    this.screen.replaceChildren(box);
    this.chart = open_chart(box, picture);
    this.chart.setOption(picture.option(palette, width));
    if (picture.zoomed) this.zoomable(picture, width);
  }

  private spoken(): string {
    const figure = this.figure!;
    return `${figure.title}. ${figure.notes.join(" ")} The numbers are in the table behind the button Data.`;
  }

  /** Draws anew what a zoomed window has room for, once per frame at most, and adds buttons for the keyboard. */
  private zoomable(picture: Chart, width: number): void {
    const chart = this.chart!;
    let waiting = false;
    chart.on("datazoom", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        if (this.chart !== chart) return;
        const zoom = (
          chart.getOption().dataZoom as {
            start: number;
            end: number;
            startValue: number;
            endValue: number;
          }[]
        )[0];
        this.window = [zoom.start, zoom.end];
        chart.setOption(picture.zoomed!(current_palette(), zoom.startValue, zoom.endValue, width));
      });
    });
    if (this.window[0] > 0 || this.window[1] < 100)
      chart.dispatchAction({ type: "dataZoom", start: this.window[0], end: this.window[1] });
    this.screen.append(this.zoom_buttons(chart));
  }

  private zoom_buttons(chart: EChartsType): HTMLElement {
    const to = (start: number, end: number): void => {
      const length = Math.min(100, Math.max(0.02, end - start));
      const from = Math.min(Math.max(0, start), 100 - length);
      chart.dispatchAction({ type: "dataZoom", start: from, end: from + length });
    };
    const change = (factor: number, shift: number) => (): void => {
      const [start, end] = this.window;
      const middle = (start + end) / 2 + shift * (end - start);
      to(middle - ((end - start) * factor) / 2, middle + ((end - start) * factor) / 2);
    };
    return make(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom along time" },
      button("Zoom in", change(0.5, 0)),
      button("Zoom out", change(2, 0)),
      button("Earlier", change(1, -0.5)),
      button("Later", change(1, 0.5)),
      button("Whole iteration", () => to(0, 100)),
    );
  }
}
