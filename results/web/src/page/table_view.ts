import { type Cell, type Table, cell_text, column_title, is_numeric, sorted_rows } from "../table";
import { number_text } from "../units";
import { button, make } from "./dom";

/** A table of ten thousand lines would stop the page; the rest comes by button, and is in the CSV. */
const kLinesAtOnce = 200;
/** Longer texts wrap; others stay on their line, and the table scrolls. */
const kLongText = 36;
/** On paper, tables of more columns are set smaller. */
const kManyColumns = 13;

/** A real table: caption, column headers that sort, the first cell of a line heads it. */
export function table_view(table: Table): HTMLElement {
  const numeric = table.columns.map((_, i) => is_numeric(table, i));
  const body = make("tbody");
  const more = make("p", { class: "more" });
  let rows: Cell[][] = table.rows;
  const line = (row: Cell[]): HTMLElement =>
    make(
      "tr",
      {},
      ...row.map((cell, i) => {
        const text = cell_text(cell, table.columns[i]);
        const kind = numeric[i] ? "number" : text === "differs" ? "differs" : text.length > kLongText ? "long" : "";
        const attributes: Record<string, string> = kind ? { class: kind } : {};
        return i === 0 ? make("th", { scope: "row", ...attributes }, text) : make("td", attributes, text);
      }),
    );
  const extend = (count: number): void => {
    const from = body.childElementCount;
    body.append(...rows.slice(from, from + count).map(line));
    const left = rows.length - body.childElementCount;
    more.replaceChildren();
    if (left > 0)
      more.append(
        `${number_text(left)} more lines. `,
        button(`Show ${Math.min(left, kLinesAtOnce)} more`, () => extend(kLinesAtOnce)),
      );
  };
  const refill = (): void => {
    body.replaceChildren();
    extend(kLinesAtOnce);
  };
  const head = header(table, numeric, (column, descending) => {
    rows = sorted_rows(table, column, descending);
    refill();
  });
  refill();
  const made = make(
    "table",
    table.columns.length > kManyColumns ? { class: "wide" } : {},
    make("caption", {}, table.caption),
    make("thead", {}, head),
    body,
  );
  const box = make("div", { class: "table-box", tabindex: "0", role: "region", "aria-label": table.caption }, made);
  return make("div", { class: "table-view" }, box, more);
}

function header(
  table: Table,
  numeric: boolean[],
  sort: (column: number, descending: boolean) => void,
): HTMLTableRowElement {
  const cells = table.columns.map((column, i) => {
    const cell = make("th", { scope: "col", ...(numeric[i] ? { class: "number" } : {}) });
    const act = (): void => {
      const descending = cell.getAttribute("aria-sort") === "ascending";
      for (const other of cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(i, descending);
    };
    cell.append(button(column_title(column), act, { class: "sort" }));
    return cell;
  });
  return make("tr", {}, ...cells);
}
