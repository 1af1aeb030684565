/** The period before, and the same period of the year before, of a period from one ISO day to another. */

const DAY_MS = 86_400_000;

export type Before = "previousPeriod" | "previousYear";

/** Two periods in the notation of `vitrine metrics explain`. */
export interface ComparedPeriods {
  from: string;
  to: string;
}

/** Returns the periods to compare; null if the days are not valid. */
export function comparedPeriods(first: string, last: string, before: Before): ComparedPeriods | null {
  const [start, end] = [parseDay(first), parseDay(last)];
  if (start === null || end === null || end < start) return null;
  const months = wholeMonths(start, end);
  const back = before === "previousYear" ? 12 : months;
  if (back === null) {
    const days = Math.round((end.getTime() - start.getTime()) / DAY_MS) + 1;
    const earlier = (day: Date) => new Date(day.getTime() - days * DAY_MS);
    return { from: rangeText(earlier(start), earlier(end)), to: rangeText(start, end) };
  }
  return { from: rangeText(...moveBack(start, end, back)), to: rangeText(start, end) };
}

/** Returns the number of calendar months from the first to the last day; null if one of them is incomplete. */
function wholeMonths(start: Date, end: Date): number | null {
  const after = new Date(end.getTime() + DAY_MS);
  if (start.getUTCDate() !== 1 || after.getUTCDate() !== 1) return null;
  return (after.getUTCFullYear() - start.getUTCFullYear()) * 12 + after.getUTCMonth() - start.getUTCMonth();
}

/** Moves a period back by months. The end of a month stays the end of a month. */
function moveBack(start: Date, end: Date, months: number): [Date, Date] {
  const after = new Date(end.getTime() + DAY_MS);
  if (after.getUTCDate() === 1)
    return [monthsBack(start, months), new Date(monthsBack(after, months).getTime() - DAY_MS)];
  return [monthsBack(start, months), monthsBack(end, months)];
}

/** Returns the same day of an earlier month, or the last day of a shorter month. */
function monthsBack(day: Date, months: number): Date {
  const month = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months, 1));
  const days = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
  month.setUTCDate(Math.min(day.getUTCDate(), days));
  return month;
}

function rangeText(start: Date, end: Date): string {
  return `${dayText(start)}..${dayText(end)}`;
}

function dayText(day: Date): string {
  return day.toISOString().slice(0, 10);
}

function parseDay(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || dayText(day) !== text ? null : day;
}
