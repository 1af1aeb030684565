// Numbers as the database wrote them, without passing through a float: whole units and how many of their digits are
// behind the point.

export interface Exact {
  units: bigint;
  scale: number;
}

const NUMBER = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The number of a text, or null if it is none (or not finite). */
export function exactOf(text: string): Exact | null {
  const match = NUMBER.exec(text.trim());
  if (!match) return null;
  const [, sign, whole, part = "", exponent = "0"] = match;
  const units = BigInt(`${whole}${part}`);
  const scale = part.length - Number(exponent);
  const signed = sign === "-" ? -units : units;
  return scale < 0 ? { units: signed * powerOfTen(-scale), scale: 0 } : { units: signed, scale };
}

const POWERS: bigint[] = [];

function powerOfTen(n: number): bigint {
  POWERS[n] ??= 10n ** BigInt(n);
  return POWERS[n];
}

/** The units of a number at a scale that is at least its own. */
export function unitsAt(number: Exact, scale: number): bigint {
  return scale === number.scale ? number.units : number.units * powerOfTen(scale - number.scale);
}

export function sumOf(numbers: Exact[]): Exact {
  const scale = numbers.reduce((most, n) => Math.max(most, n.scale), 0);
  return { units: numbers.reduce((sum, n) => sum + unitsAt(n, scale), 0n), scale };
}

/** The mean, with up to four digits more than the sum where that has few. */
export function meanOf(sum: Exact, count: number): Exact {
  const more = Math.max(0, Math.min(4, 6 - sum.scale));
  const scaled = sum.units * powerOfTen(more) * 2n;
  const by = BigInt(count) * 2n;
  const half = scaled < 0n ? -BigInt(count) : BigInt(count);
  return trimZeros({ units: (scaled + half) / by, scale: sum.scale + more }, sum.scale);
}

/** Without zeros at the end, but for as many places as it should have. */
function trimZeros({ units, scale }: Exact, least: number): Exact {
  let at = { units, scale };
  while (at.scale > least && at.units % 10n === 0n) at = { units: at.units / 10n, scale: at.scale - 1 };
  return at;
}

/** Rounds to a number of decimals, half away from zero, and pads with zeros. */
export function roundExact(number: Exact, places: number): Exact {
  if (number.scale <= places) return { units: unitsAt(number, places), scale: places };
  const by = powerOfTen(number.scale - places);
  const half = (number.units < 0n ? -by : by) / 2n;
  return { units: (number.units + half) / by, scale: places };
}

export function exactText({ units, scale }: Exact): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A float's text as the number that it is; "inf" and "NaN" as databases write them. */
export function floatOf(text: string): number {
  const word = text.trim().toLowerCase();
  const infinite = /^([+-]?)inf(inity)?$/.exec(word);
  if (infinite) return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return word === "" ? Number.NaN : Number(word);
}
