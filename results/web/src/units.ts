/** How numbers are written: four significant digits, the unit chosen by size. Input times are microseconds. */

/** U+202F, so that "12 345" never breaks; plain digits up to 9999. */
const kNarrowSpace = "\u202f";
export const kMissing = "–";

/** A unit and what one of it is in the base unit. */
export interface Scale {
  unit: string;
  one: number;
}

const kTimes: Scale[] = [
  { unit: "µs", one: 1 },
  { unit: "ms", one: 1e3 },
  { unit: "s", one: 1e6 },
];
const kSizes: Scale[] = [
  { unit: "B", one: 1 },
  { unit: "KiB", one: 2 ** 10 },
  { unit: "MiB", one: 2 ** 20 },
  { unit: "GiB", one: 2 ** 30 },
  { unit: "TiB", one: 2 ** 40 },
];

/** The largest scale of which `value` has at least one; so an axis to 4700 us is in ms. */
function fitting(scales: Scale[], value: number): Scale {
  const size = Math.abs(value);
  return scales.findLast((scale) => size >= scale.one) ?? scales[0];
}

export const time_scale = (largest_us: number): Scale => fitting(kTimes, largest_us);
export const size_scale = (largest_bytes: number): Scale => fitting(kSizes, largest_bytes);

function grouped(digits: string): string {
  const [whole, fraction] = digits.split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const bare = sign ? whole.slice(1) : whole;
  const spaced = bare.length > 4 ? bare.replace(/\B(?=(\d{3})+$)/g, kNarrowSpace) : bare;
  return sign.replace("-", "−") + spaced + (fraction === undefined ? "" : `.${fraction}`);
}

/** `digits` significant digits; whole numbers keep all of theirs. No exponent between 1e-6 and 1e15. */
export function number_text(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return kMissing;
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? grouped(String(value)) : value.toExponential(3);
  const size = Math.abs(value);
  if (size < 1e-6 || size >= 1e15) return value.toExponential(digits - 1);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return grouped(value.toFixed(Math.min(decimals, 12)));
}

/** An axis label: as short as the number allows. */
export const tick_text = (value: number): string =>
  number_text(Number(value.toPrecision(12)), 3)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

function scaled(scales: Scale[], value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return kMissing;
  const scale = fitting(scales, value);
  return `${number_text(value / scale.one, digits)} ${scale.unit}`;
}

export const time_text = (us: number | null | undefined, digits = 4): string => scaled(kTimes, us, digits);
export const size_text = (bytes: number | null | undefined, digits = 3): string => scaled(kSizes, bytes, digits);

export function percent_text(percent: number | null | undefined, digits = 1): string {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) return kMissing;
  return `${grouped(percent.toFixed(digits))} %`;
}

/** With its sign, for differences: "+1.2 %", "−0.4 %". */
export function difference_text(percent: number | null | undefined, digits = 1): string {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) return kMissing;
  const text = percent_text(percent, digits);
  if (Number(percent.toFixed(digits)) === 0) return text.replace("−", "").replace("-", "");
  return (percent > 0 ? "+" : "") + text;
}

/** "40 Gbit/s"; bits, so powers of ten. */
export function rate_text(bits_per_s: number | null): string {
  if (bits_per_s === null) return "unlimited rate";
  const scales: Scale[] = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"].map((unit, i) => ({
    unit,
    one: 1000 ** i,
  }));
  return scaled(scales, bits_per_s, 4);
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number_text(count)} ${count === 1 ? one : many}`;
