import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import {
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  TooltipComponent,
} from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import type { Chart, Figure } from "./figure";
import { svg, to_text, with_title, without_controls } from "./svg";
import { slug } from "./slug";
import type { Palette } from "./theme";

use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  TooltipComponent,
  CanvasRenderer,
  SVGRenderer,
]);

/** Above this many elements a canvas is faster than SVG. */
const kMostSvgMarks = 1500;

export function open_chart(box: HTMLElement, chart: Chart): EChartsType {
  return init(box, null, { renderer: chart.marks > kMostSvgMarks ? "canvas" : "svg" });
}

/**
 * ECharts' text without what serves its own pointer handling, and with ids that are the same every time and differ
 * between figures. Texts cannot be hit: their quotes and angle brackets are escaped.
 */
function cleaned(text: string, prefix: string): string {
  return without_controls(text)
    .replace(/<style ?><!\[CDATA\[[\s\S]*?\]\]>\s*<\/style>\n?/g, "")
    .replace(/ (?:ecmeta_\w+|class)="[^"]*"/g, "")
    .replace(/((?: id="|url\(#|href="#))zr\d+-/g, `$1${prefix}-`);
}

/** A chart as SVG text, without a DOM; what only a screen can use is left out. */
function chart_svg(chart: Chart, palette: Palette, width: number, prefix: string): string {
  const drawn = init(null, null, { renderer: "svg", ssr: true, width, height: chart.height });
  const option = chart.option(palette, width);
  const zoom = ((option.dataZoom as object[] | undefined) ?? []).map((one) => ({
    ...one,
    show: false,
  }));
  drawn.setOption({
    ...option,
    dataZoom: zoom,
    tooltip: undefined,
    backgroundColor: palette.surface,
  });
  const text = cleaned(drawn.renderToSVGString(), prefix);
  drawn.dispose();
  return text;
}

/** A figure as a file of its own, named and described for viewers; null where it is only a table. */
export function figure_svg(figure: Figure, palette: Palette, width: number): string | null {
  const { picture } = figure;
  if (picture === null) return null;
  if (picture.kind === "chart")
    return with_title(chart_svg(picture, palette, width, slug(figure.title)), figure.title, figure.definition);
  const drawn = picture.draw(palette, width);
  const back = svg("rect", {
    x: 0,
    y: 0,
    width: drawn.attributes.width,
    height: drawn.attributes.height,
    fill: palette.surface,
  });
  return with_title(to_text({ ...drawn, children: [back, ...drawn.children] }), figure.title, figure.definition);
}
