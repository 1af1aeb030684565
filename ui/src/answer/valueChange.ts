// The change of a single value since the question before. Values are compared only where both queries compute the
// same from the same columns, so that nothing but conditions can differ.

import { t } from "@lingui/core/macro";
import type { RunModel } from "../features/graph/model/model";
import { type Exact, exactOf, exactText, roundExact, unitsAt } from "../features/grid/exactNumbers";
import type { Explanation, ResultColumn } from "../host/bindings";
import { signedPercent } from "../kit/format";
import { integerKind, showOf } from "../kit/show";

type Answer = Pick<RunModel, "page" | "headline" | "code" | "explanation" | "steered">;

/** Decimals of the percentage. */
const PLACES = 1;

/** "+12.3% from 164,000"; null where the values are not comparable. */
export function valueChange(now: Answer, before: Answer, locale?: string): string | null {
  const [value, earlier] = [singleNumber(now), singleNumber(before)];
  // The follow-up was asked of the question, which does not say what was changed in its answer.
  if (!value || !earlier || before.steered !== null || !computesSame(now, before)) return null;
  const shown = showOf(earlier.column, locale)(earlier.text);
  const scale = Math.max(value.number.scale, earlier.number.scale);
  const [units, base] = [unitsAt(value.number, scale), unitsAt(earlier.number, scale)];
  const difference = units - base;
  if (difference === 0n) return t`Unchanged from ${shown}`;
  // A percentage of zero or of a negative number says nothing.
  const part = base > 0n ? shareOf(difference, base) : null;
  if (part !== null && part !== 0) return t`${signedPercent(part, PLACES)} from ${shown}`;
  const sign = difference > 0n ? "+" : "";
  const change = showOf(value.column, locale)(exactText({ units: difference, scale }));
  return t`${sign}${change} from ${shown}`;
}

/** A part of a whole as a number, rounded to the decimals of its percentage. */
function shareOf(part: bigint, whole: bigint): number {
  const digits = 10n ** BigInt(PLACES + 3);
  const { units } = roundExact({ units: (part * 100n * digits) / whole, scale: PLACES + 3 }, PLACES);
  return Number(units) / 10 ** (PLACES + 2);
}

/** The only value of an answer, if it is an amount. */
function singleNumber({ page, code }: Answer): { column: ResultColumn; text: string; number: Exact } | null {
  const [column] = page?.columns ?? [];
  const text = page?.rows[0]?.[0] ?? null;
  if (!page || !column || code !== null || text === null) return null;
  if (page.columns.length !== 1 || page.rows.length !== 1 || page.truncated) return null;
  const amount = column.type === "integer" ? integerKind(column.name) === "number" : isDecimal(column);
  const number = amount ? exactOf(text) : null;
  return number && { column, text, number };
}

const isDecimal = ({ type }: ResultColumn) => type === "decimal" || type === "float";

/** Returns whether two queries compute the same value from the same columns of the same tables. */
function computesSame(now: Answer, before: Answer): boolean {
  const [one, other] = [computed(now), computed(before)];
  return one !== null && one === other;
}

/** What a query computes, as a key; null if its steps are unknown. */
function computed({ page, headline, explanation }: Answer): string | null {
  if (!headline || !explanation || explanation.steps.length === 0) return null;
  // Without a meaning of its own, a column is called what it means.
  const meaning = headline.meanings[0] ?? page?.columns[0]?.name.toLowerCase();
  return JSON.stringify([meaning, headline.limited, sourcesOf(explanation)]);
}

/** The tables of a query with the columns that its values are made of. */
function sourcesOf({ selection }: Explanation): string[] {
  return selection
    .flatMap(({ table, columns }) => {
      const valued = columns.filter(({ uses }) => uses.some((use) => use === "shown" || use === "computed"));
      return [table, ...valued.map(({ column }) => `${table}.${column}`)];
    })
    .sort();
}
