import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { ReportData } from "../src/data";
import type { Card } from "../src/page/card";

/** A page, and everything that it said or asked for. */
export interface Opened {
  page: Page;
  said: string[]; // console messages and errors
  asked: string[]; // addresses
}

export async function open_page(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  const opened: Opened = { page, said: [], asked: [] };
  page.on("console", (message) => opened.said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => opened.said.push(`error: ${error.stack ?? error.message}`));
  page.on("dialog", (dialog) => {
    opened.said.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => opened.asked.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  return opened;
}

/** The document as it stands in the file, read without the page's own code. */
export function document_in(path: string): ReportData {
  const html = readFileSync(path, "utf8");
  const open = '<script type="application/json" id="gradwire-data">';
  const from = html.indexOf(open) + open.length;
  return JSON.parse(html.slice(from, html.indexOf("</script>", from))) as ReportData;
}

/**
 * Scrolls to every figure, as a reader would, until all are drawn. It does not ask that a figure stand still through two
 * frames, as Playwright does before it scrolls: a busy machine may show no two for long.
 */
export async function see_all(page: Page): Promise<void> {
  const scroll_on = (): boolean => {
    const missing = window.gradwire!.cards.find(
      ({ element, figure, picture }) => !element.hidden && figure.picture !== null && !picture.drawn,
    );
    missing?.element.scrollIntoView();
    return missing === undefined;
  };
  await page.waitForFunction(scroll_on, undefined, { polling: 50 });
}

export interface Drawn {
  id: string;
  title: string;
  shapes: number; // SVG elements, or pixels of a canvas that are not blank
  width: number;
  height: number;
}

/** What is really on the screen of each card that has a picture. */
export const drawn_pictures = (page: Page): Promise<Drawn[]> =>
  page.evaluate(() => {
    const inked = (canvas: HTMLCanvasElement): number => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 3; i < data.length; i += 4) count += data[i] > 0 ? 1 : 0;
      return count;
    };
    const shapes_of = (card: Card): number => {
      const canvas = card.element.querySelector<HTMLCanvasElement>(".on-screen canvas");
      return canvas
        ? inked(canvas)
        : card.element.querySelectorAll(".on-screen svg :is(path, text, line, circle, rect)").length;
    };
    return window
      .gradwire!.cards.filter((card) => card.figure.picture !== null && !card.element.hidden)
      .map((card) => {
        const box = card.element.querySelector(".on-screen :is(svg, canvas)")!.getBoundingClientRect();
        return {
          id: card.family.id,
          title: card.figure.title,
          shapes: shapes_of(card),
          width: box.width,
          height: box.height,
        };
      });
  });

/** The series that ECharts holds for a card. */
export const series_in = (page: Page, id: string): Promise<{ type: string; name: string; data: unknown[] }[]> =>
  page.evaluate((wanted) => {
    const option = window.gradwire!.cards.find((card) => card.family.id === wanted)!.picture.option as {
      series: { type: string; name: string; data: unknown[] }[];
    };
    return option.series.map(({ type, name, data }) => ({
      type,
      name,
      data: JSON.parse(JSON.stringify(data)) as unknown[],
    }));
  }, id);

/** Chromium lets a page save ten files a second and drops further ones. */
const kBetweenSavesMs = 120;

/** What a button saves. */
export async function saved_by(page: Page, card: string, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(`#figure-${card}`).getByRole("button", { name: button, exact: true }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  await page.waitForTimeout(kBetweenSavesMs);
  return { name: download.suggestedFilename(), text };
}

/** The parser's complaint, or nothing. */
export const xml_error = (page: Page, text: string): Promise<string> =>
  page.evaluate(
    (xml) => new DOMParser().parseFromString(xml, "image/svg+xml").querySelector("parsererror")?.textContent ?? "",
    text,
  );
