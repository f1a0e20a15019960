import { kMissing, number_text } from "./units";

/** The numbers behind a figure. Cells are raw: the page writes them short, CSV in full. */
export interface Table {
  caption: string;
  columns: Column[];
  rows: Cell[][]; // as long as columns
}

export interface Column {
  title: string;
  unit?: string;
  format?: (value: number) => string; // of numbers; else four significant digits
}

export type Cell = string | number | null;

export const column_title = (column: Column): string =>
  column.unit ? `${column.title} (${column.unit})` : column.title;

export function cell_text(cell: Cell, column: Column): string {
  if (cell === null || cell === "") return kMissing;
  if (typeof cell === "string") return cell;
  return column.format ? column.format(cell) : number_text(cell);
}

/** Numbers from here on align right. */
export const is_numeric = (table: Table, column: number): boolean =>
  table.rows.some((row) => typeof row[column] === "number") &&
  table.rows.every((row) => typeof row[column] !== "string");

/**
 * RFC 4180. A text that a spreadsheet would take for a formula gets a leading apostrophe, since names come from
 * whoever wrote the experiment.
 */
function csv_cell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function to_csv(table: Table): string {
  const lines = [table.columns.map(column_title), ...table.rows];
  return lines.map((line) => line.map(csv_cell).join(",") + "\r\n").join("");
}

/** Stable; numbers before texts before nothing. */
export function sorted_rows(table: Table, column: number, descending: boolean): Cell[][] {
  const rank = (cell: Cell): number => (cell === null ? 2 : typeof cell === "string" ? 1 : 0);
  const compare = (a: Cell, b: Cell): number => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    const order =
      typeof a === "number" ? a - (b as number) : String(a).localeCompare(String(b), "en", { numeric: true });
    return descending ? -order : order;
  };
  return [...table.rows].sort((a, b) => compare(a[column], b[column]));
}
