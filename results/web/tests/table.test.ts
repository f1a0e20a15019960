import { describe, expect, it } from "vitest";
import { type Table, cell_text, is_numeric, sorted_rows, to_csv } from "../src/table";

const table: Table = {
  caption: "numbers",
  columns: [{ title: "name" }, { title: "time", unit: "µs" }],
  rows: [
    ["b10", 4684.0264175],
    ["b9", null],
    ["a", 12],
  ],
};

describe("CSV", () => {
  it("keeps every digit and names units", () => {
    expect(to_csv(table)).toBe("name,time (µs)\r\nb10,4684.0264175\r\nb9,\r\na,12\r\n");
  });

  it("quotes as RFC 4180 says", () => {
    expect(
      to_csv({
        ...table,
        rows: [
          ['say "hi", twice', 1],
          ["two\nlines", 2],
        ],
      }),
    ).toBe('name,time (µs)\r\n"say ""hi"", twice",1\r\n"two\nlines",2\r\n');
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx"])("defuses the formula %j", (text) => {
    expect(to_csv({ ...table, rows: [[text, -1]] })).toBe(`name,time (µs)\r\n'${text},-1\r\n`);
  });
});

describe("tables", () => {
  it("sort numbers as numbers, names naturally, and nothing last", () => {
    expect(sorted_rows(table, 1, false).map(([name]) => name)).toEqual(["a", "b10", "b9"]);
    expect(sorted_rows(table, 1, true).map(([name]) => name)).toEqual(["b10", "a", "b9"]);
    expect(sorted_rows(table, 0, false).map(([name]) => name)).toEqual(["a", "b9", "b10"]);
    expect(table.rows[0][0]).toBe("b10");
  });

  it("align a column of numbers and gaps right", () =>
    expect([is_numeric(table, 0), is_numeric(table, 1)]).toEqual([false, true]));

  it("write cells short", () => {
    expect(cell_text(4684.0264175, table.columns[1])).toBe("4684");
    expect(cell_text(null, table.columns[1])).toBe("–");
    expect(cell_text(50, { title: "share", format: (value) => `${value} %` })).toBe("50 %");
  });
});
