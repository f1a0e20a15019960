import type { ReportData } from "./data";

/** What the page understands; a document of another version is refused, not guessed at. */
export const kVersion = 1;

export class UnreadableReport extends Error {}

/** Parses and checks the document. Throws UnreadableReport with a sentence for the reader. */
export function read_report(text: string): ReportData {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new UnreadableReport("This page holds no results: what should be its data is not JSON.");
  }
  if (typeof parsed !== "object" || parsed === null) throw new UnreadableReport("This page's data is not a report.");
  const document = parsed as Partial<ReportData>;
  if (document.version !== kVersion) {
    throw new UnreadableReport(`This page reads version ${kVersion} of the report, not ${String(document.version)}.`);
  }
  for (const list of ["runs", "plans", "timelines", "jobs", "companies", "references", "glossary"] as const) {
    if (!Array.isArray(document[list])) throw new UnreadableReport(`The report's "${list}" is not a list.`);
  }
  for (const map of ["answer", "wirings", "flags"] as const) {
    if (typeof document[map] !== "object" || document[map] === null) {
      throw new UnreadableReport(`The report's "${map}" is missing.`);
    }
  }
  return document as ReportData;
}

/** Little-endian float32 from base64. What does not fill a number is dropped. */
export function decode_samples(base64: string): Float32Array {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length & ~3);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  const values = new Float32Array(bytes.length / 4);
  for (let i = 0; i < values.length; ++i) values[i] = view.getFloat32(4 * i, true);
  return values;
}

/** Decoding costs; texts are decoded once, when first drawn. */
const decoded = new Map<string, Float32Array>();

export function samples(base64: string | null): Float32Array {
  if (base64 === null) return new Float32Array();
  let values = decoded.get(base64);
  if (values === undefined) {
    values = decode_samples(base64);
    decoded.set(base64, values);
  }
  return values;
}
