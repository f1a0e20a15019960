import { describe, expect, it } from "vitest";
import { UnreadableReport, decode_samples, read_report, samples } from "../src/read";
import { document_of } from "../tools/fixture";
import { encode } from "../tools/fixture_rows";

describe("samples", () => {
  it("are little-endian float32 in base64", () => {
    // 1.0, -2.5 and 4684.25, byte by byte.
    const bytes = [0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x20, 0xc0, 0x00, 0x62, 0x92, 0x45];
    expect([...decode_samples(btoa(String.fromCharCode(...bytes)))]).toEqual([1, -2.5, 4684.25]);
  });

  it("come back as they went", () => expect([...decode_samples(encode([0.5, 1024, 3]))]).toEqual([0.5, 1024, 3]));

  it("drop what fills no number", () => expect([...decode_samples(btoa("\0\0\x80\x3f\0\0"))]).toEqual([1]));

  it("are decoded once", () => {
    const text = encode([7, 8]);
    expect(samples(text)).toBe(samples(text));
    expect(samples(null)).toHaveLength(0);
  });
});

describe("the document", () => {
  const refused = (text: string): string => {
    try {
      read_report(text);
    } catch (error) {
      if (error instanceof UnreadableReport) return error.message;
      throw error;
    }
    return "";
  };

  it("is read", () => expect(read_report(JSON.stringify(document_of([]))).runs).toEqual([]));
  it("may have fields that nobody knows", () =>
    expect(read_report(JSON.stringify({ ...document_of([]), later: 1 })).version).toBe(1));
  it("is refused where it is none", () => expect(refused("@no data@")).toContain("not JSON"));
  it("is refused where it is a list", () => expect(refused("null")).toContain("not a report"));
  it("is refused in another version", () =>
    expect(refused(JSON.stringify({ ...document_of([]), version: 2 }))).toBe(
      "This page reads version 1 of the report, not 2.",
    ));
  it("is refused without its parts", () =>
    expect(refused(JSON.stringify({ ...document_of([]), plans: undefined }))).toContain('"plans"'));
});
