import { describe, expect, it } from "vitest";
import { difference_text, number_text, percent_text, rate_text, size_text, tick_text, time_text } from "../src/units";

describe("numbers", () => {
  it("have four significant digits, and all of a whole number's", () => {
    expect(number_text(4684.0264)).toBe("4684");
    expect(number_text(46.840264)).toBe("46.84");
    expect(number_text(0.00123456)).toBe("0.001235");
    expect(number_text(13098536)).toBe("13\u202f098\u202f536");
    expect(number_text(9999)).toBe("9999");
    expect(number_text(-12345.6)).toBe("−12\u202f346");
  });

  it("say so when there are none", () => {
    for (const nothing of [null, undefined, NaN, Infinity]) expect(number_text(nothing)).toBe("–");
    expect(time_text(null)).toBe("–");
    expect(percent_text(NaN)).toBe("–");
  });

  it("are short on axes", () => {
    expect([0, 0.5, 1.25, 2000, 1e-4, 0.30000000000000004].map(tick_text)).toEqual([
      "0",
      "0.5",
      "1.25",
      "2000",
      "0.0001",
      "0.3",
    ]);
  });
});

describe("units", () => {
  it("of time go from us to s", () => {
    expect([0.5, 999, 1000, 4684.03, 1.5e6, 7.2e9].map((us) => time_text(us))).toEqual([
      "0.5000 µs",
      "999 µs",
      "1 ms",
      "4.684 ms",
      "1.500 s",
      "7200 s",
    ]);
  });

  it("of size are powers of 1024", () => {
    expect([0, 512, 1024, 1536, 13098536, 2 ** 30].map((bytes) => size_text(bytes))).toEqual([
      "0 B",
      "512 B",
      "1 KiB",
      "1.50 KiB",
      "12.5 MiB",
      "1 GiB",
    ]);
  });

  it("of link rates are powers of ten", () => expect(rate_text(40e9)).toBe("40 Gbit/s"));

  it("of differences carry their sign, except zero", () => {
    expect([1.24, -0.42, 0.04, -0.04].map((percent) => difference_text(percent))).toEqual([
      "+1.2 %",
      "−0.4 %",
      "0.0 %",
      "0.0 %",
    ]);
  });
});
