import { describe, expect, it } from "vitest";
import { meaning } from "../src/figures/definitions";
import { document_of } from "../tools/fixture";

const data = document_of([], {
  glossary: [
    { name: "GST", definition: "Gradient synchronization time." },
    { name: "T_F", definition: "S / line rate." },
    { name: "cut", definition: "A time that nothing beats." },
    { name: "eff", definition: "bound / GST." },
  ],
});

describe("the meaning of words", () => {
  it("is the program's", () => expect(meaning(data, "GST")).toBe("GST: gradient synchronization time."));
  it("comes in the order that is asked for", () =>
    expect(meaning(data, "cut", "GST")).toBe("cut: a time that nothing beats. GST: gradient synchronization time."));
  it("leaves symbols as they are", () =>
    expect(meaning(data, "T_F", "eff")).toBe("T_F: S / line rate. eff: bound / GST."));
  it("is empty where the program defines no such word", () => expect(meaning(data, "none")).toBe(""));
});
