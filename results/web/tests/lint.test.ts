import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const eslint = new ESLint({ cwd: dirname(dirname(fileURLToPath(import.meta.url))) });

/** The rules that a text offends in the place of a file that is there. */
async function offended(file: string, text: string): Promise<string[]> {
  const [{ messages }] = await eslint.lintText(text, { filePath: file });
  return messages.map((one) => one.ruleId ?? one.message);
}

/** A block of so many lines, its first and its last included. */
const block = (first: string, lines: number, last: string): string =>
  [first, ...Array<string>(lines - 2).fill("// Nothing."), last].join("\n") + "\n";

const kFunctions: Record<string, (lines: number) => string> = {
  "a function": (lines) => block("export function work(): void {", lines, "}"),
  "an arrow function": (lines) => block("export const work = (): void => {", lines, "};"),
  "a method": (lines) => `export class Kind {\n${block("work(): void {", lines, "}")}}\n`,
  "a property": (lines) => `export const kind = {\n${block("work(): void {", lines, "},")}};\n`,
  "a constructor": (lines) => `export class Kind {\n${block("constructor(readonly a: number) {", lines, "}")}}\n`,
};

describe("the limits", { timeout: 60_000 }, () => {
  it("are 500 lines a file, blank lines and comments included", async () => {
    for (const file of ["src/slug.ts", "tests/make.ts", "build.mjs"]) {
      expect(await offended(file, "\n".repeat(250) + "//\n".repeat(250)), file).toEqual([]);
      expect(await offended(file, "\n".repeat(251) + "//\n".repeat(250)), file).toEqual(["max-lines"]);
    }
  });

  it.each(Object.keys(kFunctions))("are 60 lines: %s", async (kind) => {
    const text = kFunctions[kind];
    for (const [file, rule] of [
      ["src/slug.ts", "max-lines-per-function"],
      ["tests/table.test.ts", "gradwire/case-lines"],
    ]) {
      expect(await offended(file, text(60)), file).toEqual([]);
      expect(await offended(file, text(61)), file).toEqual([rule]);
    }
  });

  it("are 60 lines in JavaScript", async () => {
    expect(await offended("build.mjs", block("export function work() {", 61, "}"))).toEqual(["max-lines-per-function"]);
  });

  it("let a test file's describe block hold many cases, but no long case", async () => {
    const cases = (lines: number): string =>
      'import { describe, it } from "vitest";\n' +
      `describe("a", () => {\n${block('it("b", () => {', lines, "});").repeat(2)}});\n`;
    expect(await offended("tests/table.test.ts", cases(60))).toEqual([]);
    expect(await offended("tests/table.test.ts", cases(61))).toEqual(["gradwire/case-lines", "gradwire/case-lines"]);
    expect(await offended("tests/make.ts", cases(31))).toEqual(["max-lines-per-function"]);
  });

  it("are 5 parameters, a destructured one counting once", async () => {
    const takes = (list: string): Promise<string[]> =>
      offended("src/slug.ts", `export const work = (${list}): number => a + b + c + d + e + f;\n`);
    expect(await takes("{ a, f }: { a: 0; f: 5 }, b: 1, c: 2, d: 3, e: 4")).toEqual([]);
    expect(await takes("a: 0, f: 5, b: 1, c: 2, d: 3, e: 4")).toEqual(["max-params"]);
  });
});
