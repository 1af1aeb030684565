// The layout of a grid: order, widths, formats, hidden and frozen columns, sorting and filters. Columns are named
// by their place in the source.

import type { ResultColumn } from "../../host/bindings";
import type { Format } from "./columnFormat";
import type { Filter } from "./filter";
import { type Sort, sameSort } from "./sort";

export interface GridLayout {
  /** All columns, hidden ones too. */
  order: number[];
  hidden: number[];
  /** Number of frozen columns. */
  frozen: number;
  /** Widths of columns that the user has resized. */
  widths: Record<number, number>;
  sort: Sort | null;
  filters: Record<number, Filter>;
  /** Values as the database gave them. */
  exact: boolean;
  /** Formats of single columns. */
  formats: Record<number, Format>;
}

/** Always the same, so that looks without formats are alike. */
const NO_FORMATS: GridLayout["formats"] = {};

export function newLayout(columns: number): GridLayout {
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
export function visibleColumns(look: Pick<GridLayout, "order" | "hidden">): number[] {
  return look.order.filter((column) => !look.hidden.includes(column));
}

/** Columns whose name contains every typed word, in their order. */
export function columnsNamed(columns: ResultColumn[], { order }: GridLayout, typed: string): number[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return order.filter((column) => {
    const name = columns[column]!.name.toLowerCase();
    return words.every((word) => name.includes(word));
  });
}

/** Hides a column, but never the last one. */
export function hideColumn(look: GridLayout, column: number): GridLayout {
  const seen = visibleColumns(look);
  if (seen.length < 2 || !seen.includes(column)) return look;
  const frozen = seen.indexOf(column) < look.frozen ? look.frozen - 1 : look.frozen;
  return { ...look, hidden: [...look.hidden, column], frozen };
}

export function showColumn(look: GridLayout, column: number): GridLayout {
  return { ...look, hidden: look.hidden.filter((c) => c !== column) };
}

export function showAll(look: GridLayout): GridLayout {
  return { ...look, hidden: [] };
}

/** Puts a column at a place among the visible ones. */
export function moveColumn(look: GridLayout, column: number, to: number): GridLayout {
  const seen = visibleColumns(look);
  const from = seen.indexOf(column);
  if (from < 0 || to < 0 || to >= seen.length || to === from) return look;
  const next = seen[to]!;
  const order = look.order.filter((c) => c !== column);
  order.splice(order.indexOf(next) + (to > from ? 1 : 0), 0, column);
  return { ...look, order };
}

/** Freezes the columns up to one; again, and none are. */
export function freezeColumns(look: GridLayout, column: number): GridLayout {
  const count = visibleColumns(look).indexOf(column) + 1;
  return { ...look, frozen: look.frozen === count ? 0 : count };
}

export function withFilter(look: GridLayout, column: number, filter: Filter | null): GridLayout {
  const filters = { ...look.filters };
  if (filter) filters[column] = filter;
  else delete filters[column];
  return { ...look, filters };
}

export function withFormat(look: GridLayout, column: number, format: Format | null): GridLayout {
  const formats = { ...look.formats };
  if (format) formats[column] = format;
  else delete formats[column];
  return { ...look, formats };
}

export type LayoutChange = Pick<GridLayout, "sort" | "filters">;

export function isArranged(look: LayoutChange): boolean {
  return look.sort !== null || Object.keys(look.filters).length > 0;
}

/** Returns whether the user has set filters or an order other than the rows' own. */
export function isChosen({ sort, filters }: LayoutChange, own: Sort | null): boolean {
  return !sameSort(sort, own) || Object.keys(filters).length > 0;
}

/** Returns whether the columns are not as the result has them. */
export function isMoved(look: Pick<GridLayout, "hidden" | "order">): boolean {
  return look.hidden.length > 0 || look.order.some((column, i) => column !== i);
}

/** Returns whether "Reset columns" would change anything. */
export function isReshaped(look: GridLayout): boolean {
  return isMoved(look) || Object.keys(look.widths).length > 0 || Object.keys(look.formats).length > 0;
}
