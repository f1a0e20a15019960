import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReportData } from "../src/data";
import { document_of, hostile, kHostile, many, sample, wide } from "../tools/fixture";
import { run } from "../tools/fixture_rows";
import { build_into, discard, open_browser, scratch, write_page } from "../tools/page.mjs";
import { type Opened, drawn_pictures, open_page, saved_by, see_all, series_in, xml_error } from "./opened";

const folder = scratch();
let browser: Browser;

beforeAll(async () => {
  build_into(folder);
  browser = await open_browser();
});
afterAll(async () => {
  await browser?.close();
  discard(folder);
});

async function with_data(name: string, data: ReportData, act: (opened: Opened) => Promise<void>): Promise<void> {
  const opened = await open_page(browser, write_page(folder, `${name}.html`, data));
  await act(opened);
  expect(opened.said).toEqual([]);
  await opened.page.context().close();
}

describe("hostile names", () => {
  it("stay text wherever they go", () =>
    with_data("hostile", hostile(), async ({ page, asked }) => {
      await see_all(page);
      await page.getByRole("button", { name: "Open all data" }).click();
      for (const details of await page.locator("details:visible").all())
        await details.evaluate((one: HTMLDetailsElement) => (one.open = true));
      expect(await page.locator("img, script, [onerror], [onload], iframe, object").count()).toBe(0);
      const text = await page.locator("body").innerText();
      expect(text).toContain(kHostile[0]);
      expect(text).toContain(kHostile[1]);
      expect(text).toContain(kHostile[2]);
      expect(await page.title()).toContain("4 runs");
      expect(asked.filter((url) => !url.startsWith("data:,"))).toHaveLength(1);
    }));

  it("stay text in tooltips", () =>
    with_data("hostile", hostile(), async ({ page }) => {
      await page.locator("#figure-gst .chart").scrollIntoViewIfNeeded();
      const [x, y] = await page.locator("#figure-gst .chart svg path").evaluateAll((paths) => {
        const boxes = paths
          .filter((path) => path.getAttribute("fill") === "#0072b2")
          .map((path) => path.getBoundingClientRect());
        const bar = boxes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
        return [bar.x + bar.width / 2, bar.y + bar.height / 2];
      });
      await page.mouse.move(x, y);
      await page.mouse.move(x + 2, y + 1);
      await page.locator("#figure-gst .chart").getByText("GST, median:").waitFor();
      expect(await page.locator("#figure-gst .chart").innerText()).toContain(kHostile[1]);
      expect(await page.locator(".chart img, .chart script").count()).toBe(0);
    }));

  it("stay text in what is saved", () =>
    with_data("hostile", hostile(), async ({ page }) => {
      await see_all(page);
      for (const { id } of await drawn_pictures(page)) {
        const { text } = await saved_by(page, id, "Save SVG");
        expect(await xml_error(page, text), id).toBe("");
        expect(text, id).not.toMatch(/<(script|img|svg onload)/);
      }
      const csv = await saved_by(page, "gst", "Save CSV");
      expect(csv.text).toContain(`"'=HYPERLINK(""x"") lenet5"`);
      expect(csv.name).toMatch(/^[a-z0-9.-]+\.csv$/);
    }));

  it("stay text on paper", () =>
    with_data("hostile", hostile(), async ({ page }) => {
      await page.evaluate(() => window.gradwire!.print(true));
      expect(await page.locator(".on-paper :is(script, img, [onload], parsererror)").count()).toBe(0);
    }));
});

describe("the player", () => {
  it("plays a plan's steps by keyboard, and says them", () =>
    with_data("sample", sample(), async ({ page }) => {
      const card = page.locator("#figure-wiring");
      await card.scrollIntoViewIfNeeded();
      await card.getByRole("combobox", { name: "Plan" }).selectOption("bml on bcube(3,2)");
      const [said, slider] = [card.locator("output"), card.getByRole("slider")];
      expect(await said.innerText()).toMatch(/^all steps together/);
      await slider.focus();
      await page.keyboard.press("ArrowRight");
      expect(await said.innerText()).toMatch(/^step 1 of 4: 36 sends, busiest cable direction /);
      await page.keyboard.press("ArrowRight");
      expect(await said.innerText()).toMatch(/^step 2 of 4/);
      expect(await slider.inputValue()).toBe("2");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("End");
      expect(await said.innerText()).toMatch(/^step 4 of 4/);
      await card.getByRole("button", { name: "Next" }).click();
      expect(await said.innerText()).toMatch(/^all steps together/);
    }));

  it("draws the bytes of its step", () =>
    with_data("sample", sample(), async ({ page }) => {
      const data = sample();
      const card = page.locator("#figure-wiring");
      await card.scrollIntoViewIfNeeded();
      await card.getByRole("combobox", { name: "Plan" }).selectOption("bml on bcube(3,2)");
      const plan = data.plans.find((one) => one.algorithm === "bml")!;
      for (const step of [0, 1, 3]) {
        const links =
          step === 0
            ? plan.links.map(({ ab, ba }) => [ab, ba])
            : plan.steps![step - 1].links.map(([, ab, ba]) => [ab, ba]);
        const drawn = await card
          .locator(".cable")
          .evaluateAll((cables) => cables.map((cable) => Number(cable.getAttribute("data-bytes"))));
        expect(drawn).toEqual(
          links
            .flat()
            .filter((bytes) => bytes > 0)
            .sort((a, b) => a - b),
        );
        for (let i = step; i < (step === 0 ? 1 : 3); ++i) await card.getByRole("button", { name: "Next" }).click();
      }
    }));

  it("plays and pauses", () =>
    with_data("sample", sample(), async ({ page }) => {
      const card = page.locator("#figure-wiring");
      await card.scrollIntoViewIfNeeded();
      await card.getByRole("button", { name: "Play" }).click();
      await card.locator("output").filter({ hasText: "step 1 of" }).waitFor();
      await card.getByRole("button", { name: "Pause" }).click();
      expect(await card.getByRole("button", { name: "Play" }).count()).toBe(1);
    }));
});

describe("the timeline", () => {
  it("zooms by buttons, and then shows what was joined", () =>
    with_data("sample", sample(), async ({ page }) => {
      await page.locator("#figure-timeline").scrollIntoViewIfNeeded();
      const zoom = page.locator("#figure-timeline").getByRole("group", { name: "Zoom along time" });
      const window_of = (): Promise<number[]> =>
        page.evaluate(() => {
          const option = window.gradwire!.cards.find((card) => card.family.id === "timeline")!.picture.option as {
            dataZoom: { start: number; end: number }[];
          };
          return [option.dataZoom[0].start, option.dataZoom[0].end];
        });
      await zoom.getByRole("button", { name: "Zoom in" }).click();
      await expect.poll(window_of).toEqual([25, 75]);
      await zoom.getByRole("button", { name: "Later" }).click();
      await expect.poll(window_of).toEqual([50, 100]);
      const spans = (await series_in(page, "timeline")).find(({ name }) => name === "bucket")!.data as number[][];
      expect(spans.every(([, , to]) => to >= 190)).toBe(true);
      await zoom.getByRole("button", { name: "Whole iteration" }).click();
      await expect.poll(window_of).toEqual([0, 100]);
    }));
});

describe("filters", () => {
  it("leave what is asked for in every figure, and hide figures without data", () =>
    with_data("sample", sample(), async ({ page }) => {
      await page.locator(".filters").getByLabel("Run").selectOption("mg-wfbp");
      expect(await page.locator(".filters output").innerText()).toBe("12 rows of 92");
      expect(await page.locator("#figure-wiring").isVisible()).toBe(false);
      expect(await page.locator("#figure-schedules").isVisible()).toBe(true);
      await page.locator(".filters").getByLabel("hide rows with flags").check();
      expect(await page.locator(".filters output").innerText()).toBe("10 rows of 92");
      await page.locator(".filters").getByRole("button", { name: "Show all" }).click();
      expect(await page.locator("#figure-wiring").isVisible()).toBe(true);
    }));
});

describe("size", () => {
  it("of 100 runs with a million samples is no trouble", () =>
    with_data("many", many(100, 10, 1000), async ({ page }) => {
      await see_all(page);
      for (const { id, shapes } of await drawn_pictures(page)) expect(shapes, id).toBeGreaterThan(10);
      const strips = (await series_in(page, "distribution")).filter(({ type }) => type === "scatter");
      expect(strips.map(({ data }) => data.length)).toEqual(Array(10).fill(1000));
    }));

  it("of 10,000 rows neither", () =>
    with_data("wide", wide(10_000), async ({ page }) => {
      await see_all(page);
      const dots = (await series_in(page, "gst")).filter(({ name }) => name !== "bound");
      expect(dots.reduce((sum, { data }) => sum + data.length, 0)).toBe(10_000);
      for (const { id, shapes } of await drawn_pictures(page)) expect(shapes, id).toBeGreaterThan(10);
    }));
});

describe("a page without results", () => {
  it("of no rows still says what it is", () =>
    with_data(
      "empty",
      document_of([run("nothing-yet", [], { status: "running", problems: ["results.json: not there yet"] })]),
      async ({ page }) => {
        expect(await page.locator(".problems").innerText()).toContain("results.json: not there yet");
        expect(await page.locator(".problems").innerText()).toContain("the run is running");
      },
    ));

  it("of another version is refused with a sentence", async () => {
    const opened = await open_page(
      browser,
      write_page(folder, "later.html", { ...document_of([]), version: 2 } as unknown as ReportData),
    );
    expect(await opened.page.getByRole("alert").innerText()).toBe("This page reads version 1 of the report, not 2.");
    await opened.page.context().close();
  });

  it("as it was built, likewise", async () => {
    const path = join(folder, "template.html");
    writeFileSync(path, readFileSync(join(folder, "report.html")));
    const opened = await open_page(browser, path);
    expect(await opened.page.getByRole("alert").innerText()).toContain("holds no results");
    expect(opened.said).toEqual([]);
    await opened.page.context().close();
  });
});
