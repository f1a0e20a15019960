// npm run measure: the size of a page of 100 runs with a million samples, and how long Chromium takes to draw it.
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build_into, discard, fixtures, open_browser, scratch, write_page } from "./page.mjs";

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(browser, path) {
  const times = { ready: [], drawn: [], painted: [] };
  for (let i = 0; i < 5; ++i) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(pathToFileURL(path).href);
    const found = await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const [navigation] = performance.getEntriesByType("navigation");
      const [drawn] = performance.getEntriesByName("gradwire-drawn");
      return {
        ready: navigation.domContentLoadedEventEnd,
        drawn: drawn.startTime,
        painted: performance.now(),
      };
    });
    for (const name of Object.keys(times)) times[name].push(found[name]);
    await page.close();
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

const folder = scratch();
build_into(folder);
const { many, wide, sample } = await fixtures(folder);
const browser = await open_browser();
const cases = {
  sample: sample(),
  "100 runs x 10 rows x 1000 samples": many(100, 10, 1000),
  "10000 rows": wide(10000),
};
for (const [name, data] of Object.entries(cases)) {
  const path = write_page(folder, `${name.replaceAll(" ", "-")}.html`, data);
  const { ready, drawn, painted } = await measure(browser, path);
  const size = (statSync(path).size / 1e6).toFixed(2);
  console.log(
    `${name}: ${size} MB; document ready ${ready.toFixed(0)} ms, first figures drawn ${drawn.toFixed(0)} ms, painted ${painted.toFixed(0)} ms`,
  );
}
await browser.close();
discard(folder);
