// Dates and times as the database wrote them.

const DAY = /^(-?\d{4,6})-(\d\d)-(\d\d)/;
const CLOCK = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?/;
const ZONE = /^\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/;

export interface Moment {
  year: number;
  month: number;
  day: number;
  /** "10:22:33.5", as it is written; empty for a date. */
  clock: string;
  /** "+02:00", as it is written; empty without one. */
  zone: string;
}

export function momentOf(text: string): Moment | null {
  const date = DAY.exec(text);
  if (!date) return null;
  const [year, month, day] = [Number(date[1]), Number(date[2]), Number(date[3])];
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const rest = text.slice(date[0].length);
  if (rest === "") return { year, month, day, clock: "", zone: "" };
  const clock = /^[ T]/.test(rest) ? CLOCK.exec(rest.slice(1)) : null;
  if (!clock) return null;
  const zone = ZONE.exec(rest.slice(1 + clock[0].length));
  return zone && { year, month, day, clock: clock[0], zone: zone[1] ?? "" };
}

const NANO = 1_000_000_000n;

/** Its place in time, in nanoseconds; infinity as databases know it; NaN if it is no moment. */
export function instantOf(text: string): bigint | number {
  if (text === "infinity") return Number.POSITIVE_INFINITY;
  if (text === "-infinity") return Number.NEGATIVE_INFINITY;
  const moment = momentOf(text);
  if (!moment) return Number.NaN;
  const clock = moment.clock === "" ? 0n : clockOf(moment.clock);
  return BigInt(utc(moment) / 1000) * NANO + clock - zoneOf(moment.zone);
}

/** A time of day in nanoseconds; NaN if it is none. */
export function timeOf(text: string): bigint | number {
  const clock = CLOCK.exec(text);
  const zone = clock && ZONE.exec(text.slice(clock[0].length));
  return clock && zone ? clockOf(clock[0]) - zoneOf(zone[1] ?? "") : Number.NaN;
}

export function utc({ year, month, day }: Moment): number {
  // `Date.UTC` takes the years 0 to 99 as those of the last century.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function clockOf(text: string): bigint {
  const [, hours, minutes, seconds = "0", part = ""] = CLOCK.exec(text)!;
  return BigInt(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * NANO + BigInt(part.padEnd(9, "0"));
}

function zoneOf(text: string): bigint {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(text);
  if (!match) return 0n;
  const seconds = BigInt(Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60) * NANO;
  return match[1] === "-" ? -seconds : seconds;
}
