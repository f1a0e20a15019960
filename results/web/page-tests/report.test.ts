import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReportData } from "../src/data";
import { sample } from "../tools/fixture";
import { build_into, discard, open_browser, scratch, write_page } from "../tools/page.mjs";
import { type Opened, document_in, drawn_pictures, open_page, saved_by, see_all, series_in, xml_error } from "./opened";

/** The page in GRADWIRE_REPORT, or else one that is made of the fixture. */
let path = process.env.GRADWIRE_REPORT ?? "";
let made = "";
let data: ReportData;
let browser: Browser;

beforeAll(async () => {
  if (path === "") {
    made = scratch();
    build_into(made);
    path = write_page(made, "sample.html", sample());
  }
  data = document_in(path);
  browser = await open_browser();
});
afterAll(async () => {
  await browser?.close();
  if (made !== "") discard(made);
});

async function with_page(act: (opened: Opened) => Promise<void>, options = {}): Promise<void> {
  const opened = await open_page(browser, path, options);
  await act(opened);
  expect(opened.said).toEqual([]);
  await opened.page.context().close();
}

/** Pixels of a figure that are enough to see what it shows: some lines of it. */
const kSeen = 200;

/** The opening sentence, and the picture that stands below it, where they are before anybody scrolls. */
const first_screen = (page: Page) =>
  page.evaluate(() => {
    const answer = document.querySelector<HTMLElement>(".answer")!;
    const drawn = document.querySelector("#answer .on-screen :is(svg, canvas)");
    const box = (element: Element): { top: number; bottom: number } => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom };
    };
    return {
      said: answer.textContent,
      sentence: box(answer),
      picture: drawn ? box(drawn) : { top: 0, bottom: 0 },
      shapes: drawn ? drawn.querySelectorAll("path, text, line, circle, rect").length : 0,
    };
  });

describe("the page", () => {
  it("asks for nothing but itself and complains of nothing", () =>
    with_page(async ({ page, asked }) => {
      await see_all(page);
      expect(asked.filter((url) => !url.startsWith("data:,"))).toEqual([pathToFileURL(path).href]);
    }));

  it("draws every figure", () =>
    with_page(async ({ page }) => {
      await see_all(page);
      const pictures = await drawn_pictures(page);
      expect(pictures.length).toBeGreaterThan(0);
      for (const { id, shapes, width, height } of pictures) {
        expect(shapes, id).toBeGreaterThan(10);
        expect(Math.min(width, height), id).toBeGreaterThan(60);
      }
    }));

  it.each([
    ["a desk", { width: 1280, height: 800 }],
    ["a phone", { width: 390, height: 844 }],
  ])("opens with its answer and the figure that shows it, on %s", (_, viewport) =>
    with_page(
      async ({ page }) => {
        await expect.poll(async () => (await first_screen(page)).shapes).toBeGreaterThan(10);
        const { said, sentence, picture } = await first_screen(page);
        expect(said).toBe(data.answer.sentence);
        expect(sentence.top).toBeGreaterThanOrEqual(0);
        expect(sentence.bottom).toBeLessThan(picture.top);
        expect(Math.min(picture.bottom, viewport.height) - picture.top).toBeGreaterThanOrEqual(
          Math.min(picture.bottom - picture.top, kSeen),
        );
      },
      { viewport },
    ),
  );

  it("draws the medians of the document", () =>
    with_page(async ({ page }) => {
      const medians = data.runs.flatMap((run) => run.rows.map((row) => row.gst_us.median));
      const drawn = (await series_in(page, "gst")).filter(
        ({ type, name }) => (type === "bar" || type === "scatter") && name !== "bound" && name !== "published",
      );
      const values = drawn
        .flatMap(({ data: items }) =>
          items.map((item) => (Array.isArray(item) ? item[1] : (item as { value: number | null }).value)),
        )
        .filter((value): value is number => value !== null);
      expect(values.length).toBeGreaterThan(0);
      const near = (value: number): boolean =>
        medians.some((median) => [1, 1e3, 1e6].some((one) => Math.abs(value * one - median) <= 1e-9 * median));
      expect(values.filter((value) => !near(value))).toEqual([]);
    }));

  it("has every row in the tables behind the figures", () =>
    with_page(async ({ page }) => {
      const card = page.locator("#figure-gst");
      const choice = card.getByRole("combobox", { name: "Gradients" });
      if (await choice.count()) await choice.selectOption("all rows");
      await card.getByRole("button", { name: "Data" }).click();
      expect(await card.locator("tbody tr").count()).toBe(Math.min(200, data.runs.flatMap((run) => run.rows).length));
      const first = data.runs.find((run) => run.rows.length)!.rows[0];
      expect(await card.locator("tbody tr").first().innerText()).toContain(first.wiring);
      const csv = await saved_by(page, "gst", "Save CSV");
      for (const run of data.runs) for (const row of run.rows) expect(csv.text).toContain(String(row.gst_us.median));
    }));

  it("shows runs, their problems and their flags after the figures", () =>
    with_page(async ({ page }) => {
      const overview = page.locator("#overview");
      for (const run of data.runs) {
        await expect.poll(() => overview.innerText()).toContain(run.folder);
        for (const problem of run.problems) expect(await overview.locator(".problems").innerText()).toContain(problem);
        for (const note of run.notes) expect(await overview.locator(".run-notes").innerText()).toContain(note);
      }
      for (const flag of new Set(data.runs.flatMap((run) => run.rows.flatMap((row) => row.flags))))
        expect(await overview.locator(".flags").innerText()).toContain(data.flags[flag]);
      const order = await page.locator("main > section").evaluateAll((all) => all.map(({ id }) => id));
      expect([order[0], ...order.slice(-2)]).toEqual(["answer", "overview", "context"]);
    }));

  it("saves well-formed SVGs with the labels of the figure", () =>
    with_page(async ({ page }) => {
      await see_all(page);
      for (const { id, title } of await drawn_pictures(page)) {
        const { name, text } = await saved_by(page, id, "Save SVG");
        expect(name).toMatch(/\.svg$/);
        expect(await xml_error(page, text), id).toBe("");
        expect(text).toContain(`<title>${title}</title>`);
        if (id === "gst")
          expect(
            data.runs.some((run) =>
              run.rows.some((row) => text.includes(`>${row.algorithm}`) || text.includes(row.wiring)),
            ),
          ).toBe(true);
      }
    }));
});

describe("for everyone", () => {
  it("is accessible, in light and dark, with all data open", async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const colorScheme of ["light", "dark"] as const) {
      // The policy of the page forbids scripts; the checker is let in.
      await with_page(
        async ({ page }) => {
          await see_all(page);
          await page.getByRole("button", { name: "Open all data" }).click();
          await page.evaluate(axe);
          const found = await page.evaluate(async () => {
            const results = await (
              window as unknown as {
                axe: {
                  run: (options: object) => Promise<{
                    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
                  }>;
                };
              }
            ).axe.run({ resultTypes: ["violations"] });
            return results.violations.map(
              ({ id, nodes }) =>
                `${id}: ${nodes
                  .slice(0, 3)
                  .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`)
                  .join(" | ")}`,
            );
          });
          expect(found).toEqual([]);
        },
        { colorScheme, bypassCSP: true },
      );
    }
  });

  it("names every card, chart, table and button", () =>
    with_page(async ({ page }) => {
      await see_all(page);
      await page.getByRole("button", { name: "Open all data" }).click();
      const lacking = await page.evaluate(() => {
        const bad: string[] = [];
        for (const card of document.querySelectorAll<HTMLElement>(".card:not([hidden])")) {
          if (!document.getElementById(card.getAttribute("aria-labelledby") ?? "")?.textContent)
            bad.push(`${card.id}: no name`);
          if (!card.querySelector(".definition")?.textContent?.includes("Unit:")) bad.push(`${card.id}: no unit`);
          for (const table of card.querySelectorAll("table")) {
            if (!table.caption?.textContent) bad.push(`${card.id}: no caption`);
            if (table.querySelector("thead th:not([scope=col])") || !table.querySelector("tbody th[scope=row]"))
              bad.push(`${card.id}: no scope`);
          }
          if (!card.querySelector("table")) bad.push(`${card.id}: no table`);
          for (const picture of card.querySelectorAll(".picture:not([hidden]) .on-screen > :first-child"))
            if (!picture.getAttribute("aria-label")) bad.push(`${card.id}: picture without a name`);
        }
        for (const button of document.querySelectorAll("button"))
          if (!button.textContent) bad.push("a button without a name");
        return bad;
      });
      expect(lacking).toEqual([]);
    }));

  it("opens and sorts a table by keyboard", () =>
    with_page(async ({ page }) => {
      const card = page.locator("#figure-gst");
      const toggle = card.getByRole("button", { name: "Data" });
      await toggle.focus();
      await page.keyboard.press("Enter");
      expect(await toggle.getAttribute("aria-expanded")).toBe("true");
      const header = card.locator("thead th").filter({ hasText: "GST median" });
      await header.getByRole("button").focus();
      await page.keyboard.press("Space");
      expect(await header.getAttribute("aria-sort")).toBe("ascending");
      const at = await header.evaluate((cell) => (cell as HTMLTableCellElement).cellIndex);
      const cells = await card
        .locator("tbody tr")
        .evaluateAll(
          (lines, column) =>
            lines.map((line) => (line as HTMLTableRowElement).cells[column].textContent.replace(/\s/g, "")),
          at,
        );
      expect(cells.map(Number)).toEqual(cells.map(Number).sort((a, b) => a - b));
      await toggle.focus();
      await page.keyboard.press("Enter");
      expect(await card.locator("table").count()).toBe(0);
    }));

  it("follows the reader's colours, and the button", () =>
    with_page(
      async ({ page }) => {
        await see_all(page);
        const back = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const dark = await back();
        await page.getByRole("button", { name: /^Theme/ }).click();
        expect(await page.getByRole("button", { name: "Theme: light" }).count()).toBe(1);
        expect(await back()).not.toBe(dark);
        await page.getByRole("button", { name: /^Theme/ }).click();
        expect(await back()).toBe(dark);
        expect((await drawn_pictures(page)).every(({ shapes }) => shapes > 10)).toBe(true);
      },
      { colorScheme: "dark" },
    ));

  it("fits a phone", () =>
    with_page(
      async ({ page }) => {
        await see_all(page);
        await page.getByRole("button", { name: "Open all data" }).click();
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        ).toBe(0);
      },
      { viewport: { width: 360, height: 740 } },
    ));

  it("prints every figure as SVG on white, whatever the theme, seen or not", () =>
    with_page(
      async ({ page }) => {
        await page.emulateMedia({ media: "print" });
        await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
        const cards = await page.evaluate(() =>
          window.gradwire!.cards.filter((card) => card.figure.picture).map((card) => card.family.id),
        );
        for (const id of cards) {
          expect(await page.locator(`#figure-${id} .on-paper svg :is(path, line, text)`).count(), id).toBeGreaterThan(
            10,
          );
          expect(await page.locator(`#figure-${id} .on-screen`).isVisible()).toBe(false);
        }
        expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
        await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
        expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
      },
      { colorScheme: "dark" },
    ));
});
