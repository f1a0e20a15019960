import type { ReportData } from "../data";

/** Lines under figures that say how marks are drawn. */
export const kInterval = "Whiskers: confidence interval of the median.";
export const kHollow = "Hollow: the row carries a flag.";

/** "GST: gradient synchronization time, from ..."; empty for words that the program does not define. */
export function meaning(data: ReportData, ...names: string[]): string {
  const known = names.flatMap((word) => data.glossary.filter(({ name }) => name === word));
  return known.map(({ name, definition }) => `${name}: ${uncapitalized(definition)}`).join(" ");
}

/** Symbols and abbreviations at the beginning stay as they are. */
const uncapitalized = (text: string): string =>
  /^[A-Z][a-z]|^A /.test(text) ? text[0].toLowerCase() + text.slice(1) : text;
