// The look of a grid as it outlives the program, as text, until what it belongs to is deleted. What a filter was typed with is in it,
// as the rows themselves are kept with the run.

import { type Format, isFormat } from "./columnFormat";
import { type Filter, isFilter } from "./filter";
import { type GridLayout, isMoved } from "./layout";
import { type Sort, sameSort } from "./sort";

/** Only the user's changes. A sort of null means that the rows' own order is switched off. */
export type SavedLayout = Partial<GridLayout>;

/** Older ones are forgotten. */
export const MAX_LAYOUTS = 60;
const MOST_LETTERS = 100_000;
/** A grid with very many or very long columns is not worth the place of others. */
const MOST_LETTERS_EACH = 10_000;

/** `own` is the default order of the rows. */
export function savedLayoutOf(look: GridLayout, own: Sort | null = null): SavedLayout {
  const { order, hidden, frozen, widths, exact, formats, sort, filters } = look;
  return {
    ...(isMoved(look) && { order, hidden }),
    ...(frozen > 0 && { frozen }),
    ...(Object.keys(widths).length > 0 && { widths }),
    ...(exact && { exact }),
    ...(Object.keys(formats).length > 0 && { formats }),
    ...(!sameSort(sort, own) && { sort }),
    ...(Object.keys(filters).length > 0 && { filters }),
  };
}

/** Looks by the signature of their grid, as text of bounded size: the oldest are left out. */
export function savedLayoutText(looks: Record<string, SavedLayout>): string {
  const parts: string[] = [];
  let letters = 0;
  for (const [signature, look] of Object.entries(looks).reverse()) {
    if (Object.keys(look).length === 0) continue;
    const part = `${JSON.stringify(signature)}:${JSON.stringify(look)}`;
    if (part.length > MOST_LETTERS_EACH) continue;
    letters += part.length;
    if (letters > MOST_LETTERS || parts.length === MAX_LAYOUTS) break;
    parts.unshift(part);
  }
  return `{${parts.join(",")}}`;
}

/** Parses stored layouts; ignores entries that fit no grid. */
export function parseSavedLayout(remembered: string | null): Record<string, SavedLayout> {
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

/** The identity of a grid: its name, and the names and types of its columns. */
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

function lookOf(value: unknown, columns: number): SavedLayout | null {
  if (typeof value !== "object" || value === null) return null;
  const { order, hidden, frozen, widths, exact, formats, sort, filters } = value as Record<string, unknown>;
  const isColumn = (c: unknown): c is number => Number.isInteger(c) && (c as number) >= 0 && (c as number) < columns;
  const distinct = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every(isColumn) && new Set(list).size === list.length;
  const kept: SavedLayout = {};
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
  const passing = some<Filter>(filters, isFilter);
  if (Object.keys(passing).length > 0) kept.filters = passing;
  const { column, down } = (sort ?? {}) as Partial<Sort>;
  if (sort === null) kept.sort = null;
  else if (isColumn(column) && typeof down === "boolean") kept.sort = { column, down };
  return kept;
}
