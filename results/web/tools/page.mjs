// What the tests and the measuring script share: the built page with a fixture in it, and a browser.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** A folder of its own; whoever makes it discards it. */
export const scratch = () => mkdtempSync(join(tmpdir(), "gradwire-page-"));
export const discard = (folder) => rmSync(folder, { recursive: true, force: true });

/** Builds template and paper program into `folder`. */
export function build_into(folder) {
  execFileSync(process.execPath, [join(root, "build.mjs"), folder], { stdio: "inherit" });
}

/** As the program writes it: no "<" in the JSON. */
export function page_with(template, data) {
  const [before, after] = template.split("@GRADWIRE_DATA@");
  return before + JSON.stringify(data).replaceAll("<", "\\u003c") + after;
}

/** Writes a page for `data`; returns its path. */
export function write_page(folder, name, data) {
  const path = join(folder, name);
  writeFileSync(path, page_with(readFileSync(join(folder, "report.html"), "utf8"), data));
  return path;
}

/** The fixtures, from TypeScript. */
export async function fixtures(folder) {
  const out = join(folder, "fixture.mjs");
  await build({
    entryPoints: [join(root, "tools", "fixture.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: out,
    logLevel: "warning",
  });
  return import(pathToFileURL(out).href);
}

export const open_browser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu"],
  });
