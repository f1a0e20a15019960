import { type Cell, type Table, cell_text, column_title, is_numeric, sorted_rows } from "../table";
import { number_text } from "../units";
import { button, make } from "./dom";

/** A table of ten thousand lines would stop the page; the rest comes by button, and is in the CSV. */
const kLinesAtOnce = 200;
/** Longer texts wrap; others stay on their line, and the table scrolls. */
const kLongText = 36;
/** On paper, tables of more columns are set smaller. */
const kManyColumns = 13;

function line_view(row: Cell[], table: Table, numeric: boolean[]): HTMLTableRowElement {
  const cells = row.map((cell, i) => {
    const text = cell_text(cell, table.columns[i]);
    const kind = numeric[i] ? "number" : text === "differs" ? "differs" : text.length > kLongText ? "long" : "";
    const attributes: Record<string, string> = kind ? { class: kind } : {};
    return i === 0 ? make("th", { scope: "row", ...attributes }, text) : make("td", attributes, text);
  });
  return make("tr", {}, ...cells);
}

/** A real table: caption, column headers that sort, the first cell of a line heads it. */
export function table_view(table: Table): HTMLElement {
  const numeric = table.columns.map((_, i) => is_numeric(table, i));
  const body = make("tbody");
  const more = make("p", { class: "more" });
  let rows = table.rows;
  const extend = (): void => {
    const from = body.childElementCount;
    body.append(...rows.slice(from, from + kLinesAtOnce).map((row) => line_view(row, table, numeric)));
    const left = rows.length - body.childElementCount;
    const next = button(`Show ${Math.min(left, kLinesAtOnce)} more`, extend);
    more.replaceChildren(...(left > 0 ? [`${number_text(left)} more lines. `, next] : []));
  };
  const head = header(table, numeric, (column, descending) => {
    rows = sorted_rows(table, column, descending);
    body.replaceChildren();
    extend();
  });
  extend();
  const wide: Record<string, string> = table.columns.length > kManyColumns ? { class: "wide" } : {};
  const made = make("table", wide, make("caption", {}, table.caption), make("thead", {}, head), body);
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
