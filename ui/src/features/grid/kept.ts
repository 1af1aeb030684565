// The part of a grid's look that outlives the program, as text. Sorting and filters are not in it: they would hold values of the
// database, and an order would read the result again.

import { type Format, isFormat } from "./columnFormat";
import { isMoved, type Look } from "./look";

/** Only what somebody has changed. */
export type KeptLook = Partial<Pick<Look, "order" | "hidden" | "frozen" | "widths" | "exact" | "formats">>;

/** Older ones are forgotten. */
export const MOST_LOOKS = 60;
const MOST_LETTERS = 100_000;
/** A grid with very many or very long columns is not worth the place of others. */
const MOST_LETTERS_EACH = 10_000;

export function keptOf(look: Look): KeptLook {
  const { order, hidden, frozen, widths, exact, formats } = look;
  return {
    ...(isMoved(look) && { order, hidden }),
    ...(frozen > 0 && { frozen }),
    ...(Object.keys(widths).length > 0 && { widths }),
    ...(exact && { exact }),
    ...(Object.keys(formats).length > 0 && { formats }),
  };
}

/** Looks by the signature of their grid, as text of bounded size: the oldest are left out. */
export function keptText(looks: Record<string, KeptLook>): string {
  const parts: string[] = [];
  let letters = 0;
  for (const [signature, look] of Object.entries(looks).reverse()) {
    if (Object.keys(look).length === 0) continue;
    const part = `${JSON.stringify(signature)}:${JSON.stringify(look)}`;
    if (part.length > MOST_LETTERS_EACH) continue;
    letters += part.length;
    if (letters > MOST_LETTERS || parts.length === MOST_LOOKS) break;
    parts.unshift(part);
  }
  return `{${parts.join(",")}}`;
}

/** Looks as they were remembered; whatever else stands there, or fits no grid, is left out. */
export function readKept(remembered: string | null): Record<string, KeptLook> {
  if (!remembered) return {};
  try {
    const all: unknown = JSON.parse(remembered);
    if (typeof all !== "object" || all === null) return {};
    return Object.fromEntries(
      Object.entries(all).flatMap(([signature, look]) => {
        const parts = partsOf(signature);
        const kept = parts && lookOf(look, parts.columns);
        return kept && Object.keys(kept).length > 0 ? [[signature, kept]] : [];
      }),
    );
  } catch {
    return {};
  }
}

/** What a grid is known by: its name, and the names and types of its columns. */
export function signatureOf(name: string, columns: readonly { name: string; type: string }[]): string {
  return JSON.stringify([name, ...columns.map((column) => [column.name, column.type])]);
}

/** The name and the number of columns in a signature. */
export function partsOf(signature: string): { name: string; columns: number } | null {
  try {
    const parts: unknown = JSON.parse(signature);
    if (!Array.isArray(parts) || typeof parts[0] !== "string") return null;
    return { name: parts[0], columns: parts.length - 1 };
  } catch {
    return null;
  }
}

function lookOf(value: unknown, columns: number): KeptLook | null {
  if (typeof value !== "object" || value === null) return null;
  const { order, hidden, frozen, widths, exact, formats } = value as Record<string, unknown>;
  const isColumn = (c: unknown): c is number => Number.isInteger(c) && (c as number) >= 0 && (c as number) < columns;
  const distinct = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every(isColumn) && new Set(list).size === list.length;
  const kept: KeptLook = {};
  if (distinct(order) && order.length === columns && distinct(hidden) && hidden.length < columns)
    Object.assign(kept, { order, hidden });
  if (isColumn(frozen) && frozen > 0) kept.frozen = frozen;
  if (exact === true) kept.exact = true;
  const some = <T>(record: unknown, fits: (value: unknown) => value is T): Record<number, T> =>
    Object.fromEntries(
      Object.entries(typeof record === "object" && record !== null ? record : {}).filter(
        (entry): entry is [string, T] => isColumn(Number(entry[0])) && fits(entry[1]),
      ),
    );
  const sizes = some(widths, (size): size is number => typeof size === "number" && size > 0 && size < 10_000);
  if (Object.keys(sizes).length > 0) kept.widths = sizes;
  const shown = some<Format>(formats, isFormat);
  if (Object.keys(shown).length > 0) kept.formats = shown;
  return kept;
}
