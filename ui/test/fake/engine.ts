// The backend's sorting, filtering, searching and adding up of open results, over rows in memory.

import { exactOf, unitsAt } from "../../src/features/grid/exactNumbers";
import { foldCase } from "../../src/features/grid/filter";
import { MOST_FOUND } from "../../src/features/grid/search";
import { sortRows } from "../../src/features/grid/sort";
import { columnFigures, selectionFigures } from "../../src/features/grid/statistics";
import type { CellType, Page, RowTest, ShownAs } from "../../src/host/bindings";
import { AppFailure, type Host } from "../../src/host/host";
import { instantOf, timeOf } from "../../src/kit/moment";
import { showOf } from "../../src/kit/show";
import { runAtOnce } from "../../src/kit/timeSlices";

/** `pageOf` gives all rows of an open result. */
export function fakeEngine(pageOf: (resultId: string) => Pick<Page, "columns" | "rows">) {
  const views = new Map<string, number[]>();
  const places = (resultId: string, view: string | null) => {
    const kept = view === null ? pageOf(resultId).rows.map((_, at) => at) : views.get(view);
    if (kept) return kept;
    throw new AppFailure({
      code: "notFound",
      message: "These rows are no longer sorted or filtered",
      hint: null,
      detail: null,
    });
  };
  return {
    arrangeResult: async (resultId, { order, filters, locale }) => {
      const { columns, rows } = pageOf(resultId);
      let kept = rows.map((_, at) => at);
      for (const { column, test } of filters)
        kept = kept.filter((at) => passes(test, columns[column]!.type, rows[at]![column] ?? null));
      if (order) {
        const { column, down } = order;
        kept = runAtOnce(sortRows(kept, (at) => rows[at]![column] ?? null, columns[column]!.type, down, locale));
      }
      const view = `view-${views.size}`;
      views.set(view, kept);
      return { view, rowCount: kept.length };
    },
    arrangedRows: async (resultId, view, offset, count) => {
      const { columns, rows } = pageOf(resultId);
      const kept = places(resultId, view);
      const shown = kept.slice(offset, offset + count).map((at) => rows[at]!);
      return { columns, rows: shown, rowCount: kept.length, truncated: false };
    },
    findInResult: async (resultId, view, text, searched) => {
      const { rows } = pageOf(resultId);
      const found = places(resultId, view).flatMap((at, row) =>
        searched.flatMap(({ column: from, shown }, column) =>
          contains(text, shown, rows[at]![from] ?? null) ? [{ row, column }] : [],
        ),
      );
      return found.slice(0, MOST_FOUND);
    },
    columnFigures: async (resultId, view, column) => {
      const { columns, rows } = pageOf(resultId);
      const values = places(resultId, view).map((at) => rows[at]![column] ?? null);
      return columnFigures(values, columns[column]!.type);
    },
    selectionFigures: async (resultId, view, from, to, selected) => {
      const { columns, rows } = pageOf(resultId);
      const kept = places(resultId, view).slice(from, to);
      return selectionFigures(
        selected.map((column) => ({
          type: columns[column]!.type,
          values: kept.map((at) => rows[at]![column] ?? null),
        })),
      );
    },
    stopArranging: async () => {},
  } satisfies Partial<Host>;
}

function contains(text: string, shown: ShownAs, value: string | null): boolean {
  if (value === null) return false;
  const show = showOf({ name: "", type: shown.kind === "number" ? "decimal" : "text" });
  return [value, show(value)].some((form) => foldCase(form).includes(foldCase(text)));
}

function passes(test: RowTest, type: CellType, value: string | null): boolean {
  switch (test.kind) {
    case "empty":
      return value === null || value === "";
    case "filled":
      return value !== null && value !== "";
    case "contains":
      return contains(test.text, test.shown, value);
    case "same":
      return test.case ? value === test.text : value?.toLowerCase() === test.text.trim().toLowerCase();
    case "range": {
      if (value === null) return false;
      const [at, from, to] = [placeOf(value, type), endOf(test.from, type), endOf(test.to, type)];
      return at !== null && (from === null || at >= from) && (to === null || at <= to);
    }
  }
}

function placeOf(value: string, type: CellType): bigint | number | null {
  if (type === "date" || type === "timestamp") return instantOf(value);
  if (type === "time") return timeOf(value);
  const number = exactOf(value);
  return number && unitsAt(number, 40);
}

function endOf(text: string | null, type: CellType): bigint | number | null {
  if (text === null) return null;
  return type === "date" || type === "timestamp" || type === "time" ? BigInt(text) : placeOf(text, type);
}
