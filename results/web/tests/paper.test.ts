import { describe, expect, it } from "vitest";
import { families } from "../src/figures/all";
import { paper, paper_choices } from "../src/paper";
import { escape_xml, svg, to_text, with_title } from "../src/svg";
import { hostile, kHostile, sample } from "../tools/fixture";
import { view_of_all } from "./make";

/** Throws where a text is no well-formed XML of the kind that figures are written in. */
function check_xml(text: string): void {
  const open: string[] = [];
  const token = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|<!\[CDATA\[[\s\S]*?\]\]>|([^<]+)/y;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new Error(`not well-formed: ${text.slice(at, at + 120)}`);
    const [, end, tag, , empty, words] = match;
    // eslint-disable-next-line no-control-regex
    if (words !== undefined && /&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)|[\u0000-\u0008]/.test(words))
      throw new Error(`not escaped: ${words}`);
    if (tag === undefined) continue;
    if (!end && !empty) open.push(tag);
    if (end && open.pop() !== tag) throw new Error(`</${tag}> ends nothing`);
  }
  if (open.length) throw new Error(`open: ${open.join(" ")}`);
}

describe("SVG text", () => {
  it("is escaped in texts and attributes", () => {
    expect(to_text(svg("text", { "data-name": 'a"<b' }, "<script>&"))).toBe(
      '<text xmlns="http://www.w3.org/2000/svg" data-name="a&quot;&lt;b">&lt;script&gt;&amp;</text>',
    );
    expect(escape_xml("a\u0000\u0007b")).toBe("a\ufffd\ufffdb");
  });

  it("gets a title", () =>
    expect(with_title('<svg a="b"><g></g></svg>', "<t>", "d")).toBe(
      '<svg a="b"><title>&lt;t&gt;</title><desc>d</desc><g></g></svg>',
    ));
});

describe("figures on paper", () => {
  const files = paper(JSON.stringify(sample()));

  it("are there for every family with a picture", () => {
    const drawn = families.map(({ id }) => id).filter((id) => !["least", "verification", "context"].includes(id));
    for (const id of drawn)
      expect(
        Object.keys(files).some((name) => name.startsWith(id)),
        id,
      ).toBe(true);
    for (const name of Object.keys(files)) expect(name).toMatch(/^[a-z0-9][a-z0-9.-]*\.svg$/);
  });

  it("are well-formed, named, on white", () => {
    for (const text of Object.values(files)) {
      check_xml(text);
      expect(text).toMatch(/^<svg[^>]*><title>[^<]+<\/title><desc>/);
      expect(text).toContain("#ffffff");
    }
  });

  it("hold their labels", () => {
    expect(files["gst-lenet5-12.5-mib.svg"]).toContain(">single-switch(9)</text>");
    expect(files["gst-lenet5-12.5-mib.svg"]).toContain("GST, median (ms)");
    expect(files["jct-jct.svg"]).toContain("published: bml against ps");
    expect(files["wiring-bml-on-bcube-3-2.svg"]).toContain(">level 1</text>");
  });

  it("are the same every time", () => expect(paper(JSON.stringify(sample()))).toEqual(files));

  it("keep hostile names text", () => {
    const texts = Object.values(paper(JSON.stringify(hostile())));
    texts.forEach(check_xml);
    for (const text of texts) expect(text).not.toMatch(/<(script|img|svg onload)/);
    expect(texts.join("")).toContain(escape_xml(kHostile[1]).replaceAll("&quot;", '"').slice(0, 12));
  });

  it("make a file for each choice that matters", () => {
    const family = families.find(({ id }) => id === "jct")!;
    expect(paper_choices(family, view_of_all(sample()))).toEqual([{ what: "JCT" }, { what: "iteration time" }]);
  });
});
