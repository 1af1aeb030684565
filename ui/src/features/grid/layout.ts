// How somebody has arranged a grid: order, widths, formats, hidden and frozen columns, sorting and filters. Columns are named
// by their place in the source.

import type { Format } from "./columnFormat";
import type { Filter } from "./filter";
import { type Sort, sameSort } from "./sort";

export interface Look {
  /** All columns, hidden ones too. */
  order: number[];
  hidden: number[];
  /** How many of the visible columns stay in view. */
  frozen: number;
  /** Only of columns that somebody has resized. */
  widths: Record<number, number>;
  sort: Sort | null;
  filters: Record<number, Filter>;
  /** Values as the database gave them. */
  exact: boolean;
  /** How somebody wants to read single columns. */
  formats: Record<number, Format>;
}

/** Always the same, so that looks without formats are alike. */
const NO_FORMATS: Look["formats"] = {};

export function newLook(columns: number): Look {
  return {
    order: Array.from({ length: columns }, (_, i) => i),
    hidden: [],
    frozen: 0,
    widths: {},
    sort: null,
    filters: {},
    exact: false,
    formats: NO_FORMATS,
  };
}

/** Columns of the source as they are seen, from left to right. */
export function visible(look: Pick<Look, "order" | "hidden">): number[] {
  return look.order.filter((column) => !look.hidden.includes(column));
}

/** Hides a column, but never the last one. */
export function hide(look: Look, column: number): Look {
  const seen = visible(look);
  if (seen.length < 2 || !seen.includes(column)) return look;
  const frozen = seen.indexOf(column) < look.frozen ? look.frozen - 1 : look.frozen;
  return { ...look, hidden: [...look.hidden, column], frozen };
}

export function showColumn(look: Look, column: number): Look {
  return { ...look, hidden: look.hidden.filter((c) => c !== column) };
}

export function showAll(look: Look): Look {
  return { ...look, hidden: [] };
}

/** Puts a column at a place among the visible ones. */
export function moveColumn(look: Look, column: number, to: number): Look {
  const seen = visible(look);
  const from = seen.indexOf(column);
  if (from < 0 || to < 0 || to >= seen.length || to === from) return look;
  const next = seen[to]!;
  const order = look.order.filter((c) => c !== column);
  order.splice(order.indexOf(next) + (to > from ? 1 : 0), 0, column);
  return { ...look, order };
}

/** Freezes the columns up to one; again, and none are. */
export function freeze(look: Look, column: number): Look {
  const count = visible(look).indexOf(column) + 1;
  return { ...look, frozen: look.frozen === count ? 0 : count };
}

export function withFilter(look: Look, column: number, filter: Filter | null): Look {
  const filters = { ...look.filters };
  if (filter) filters[column] = filter;
  else delete filters[column];
  return { ...look, filters };
}

export function withFormat(look: Look, column: number, format: Format | null): Look {
  const formats = { ...look.formats };
  if (format) formats[column] = format;
  else delete formats[column];
  return { ...look, formats };
}

export type Arranging = Pick<Look, "sort" | "filters">;

export function isArranged(look: Arranging): boolean {
  return look.sort !== null || Object.keys(look.filters).length > 0;
}

/** Whether somebody has chosen the order, other than the rows' own, or filters. */
export function isChosen({ sort, filters }: Arranging, own: Sort | null): boolean {
  return !sameSort(sort, own) || Object.keys(filters).length > 0;
}

/** Whether the columns are not as the result has them. */
export function isMoved(look: Pick<Look, "hidden" | "order">): boolean {
  return look.hidden.length > 0 || look.order.some((column, i) => column !== i);
}

/** Whether "Reset columns" would change anything. */
export function isReshaped(look: Look): boolean {
  return isMoved(look) || Object.keys(look.widths).length > 0 || Object.keys(look.formats).length > 0;
}
