// node build.mjs OUTDIR: writes OUTDIR/report.html, the page without its data, and OUTDIR/paper.mjs, which makes the
// figures as SVG. The program puts its JSON where the page says @GRADWIRE_DATA@, with every < written \u003c.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const kMarker = "@GRADWIRE_DATA@";
const here = dirname(fileURLToPath(import.meta.url));
const source = (name) => join(here, "src", name);

/** One file without imports; legal comments go with it. */
async function bundle(entry, options) {
  const result = await build({
    entryPoints: [source(entry)],
    bundle: true,
    write: false,
    minify: true,
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
    ...options,
  });
  return result.outputFiles[0].text;
}

function fill(template, parts) {
  // A function, since "$&" in a bundle would be taken for a pattern.
  return template.replace(/%([A-Z_]+)%/g, (_, name) => parts[name]);
}

const count = (text, part) => text.split(part).length - 1;

async function page() {
  const script = await bundle("main.ts", {
    format: "iife",
    target: ["chrome109", "firefox115", "safari16"],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const style = await bundle("page.css", { target: ["chrome109"] });
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Error("the bundle would end its own element");
  const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
  const html = fill(readFileSync(source("page.html"), "utf8"), {
    SCRIPT_HASH: hash,
    STYLE: style,
    DATA: kMarker,
    SCRIPT: script,
  });
  if (count(html, kMarker) !== 1) throw new Error(`the page has ${count(html, kMarker)} places for its data, not one`);
  return html;
}

const out = process.argv[2];
if (out === undefined) {
  console.error("usage: node build.mjs OUTDIR");
  process.exit(2);
}
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "report.html"), await page());
writeFileSync(
  join(out, "paper.mjs"),
  await bundle("paper_main.ts", {
    format: "esm",
    platform: "node",
    target: "node18",
    define: { "process.env.NODE_ENV": '"production"' },
  }),
);
