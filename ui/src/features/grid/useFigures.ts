import { useEffect, useMemo, useState } from "react";
import type { AppError, ColumnFigures, ResultColumn, SelectionFigures } from "../../host/bindings";
import { toAppError } from "../../host/host";
import { rowsHere } from "./arrange";
import type { Range } from "./select";
import { READ_ROWS, type RowSource } from "./source";
import { columnFigures, selectionFigures } from "./statistics";

/** A selection that grows by dragging is counted once it rests. */
const REST_MS = 80;
/** Rows that are read to be counted here; more are counted where they are kept. */
const MOST_READ = 50_000;

/** Figures about the selected cells; null for one cell. */
export function useFigures(source: RowSource, seen: number[], range: Range | null): SelectionFigures | null {
  const [known, setKnown] = useState<{ key: string; figures: SelectionFigures } | null>(null);
  const { top, bottom, left, right } = range ?? { top: 0, bottom: 0, left: 0, right: 0 };
  const columns = seen.slice(left, right + 1).join();
  const key = `${top} ${bottom} ${columns}`;
  const engine = source.extent === "whole" && rowsHere(source) === null ? source.engine : undefined;
  const counted = severalCells(range) && (engine !== undefined || bottom - top < MOST_READ);
  useEffect(() => {
    if (!counted) return setKnown(null);
    let gone = false;
    const places = columns.split(",").map(Number);
    const count = async () => {
      if (engine && bottom - top >= READ_ROWS) return engine.selection(top, bottom + 1, places);
      const rows = await source.read(top, bottom + 1);
      return selectionFigures(
        places.map((c) => {
          const { type }: ResultColumn = source.columns[c]!;
          return { type, values: rows.map((row) => row[c] ?? null) };
        }),
      );
    };
    const timer = setTimeout(() => {
      count()
        .then((figures) => !gone && setKnown({ key, figures }))
        // Errors of rows are shown where the rows are drawn.
        .catch(() => {});
    }, REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [source, engine, counted, key, top, bottom, columns]);
  return counted && known?.key === key ? known.figures : null;
}

export function severalCells(range: Range | null): boolean {
  return range !== null && (range.bottom > range.top || range.right > range.left);
}

/** Figures about a column over the rows of a source; null until they are counted. */
export function useColumnFigures(
  source: RowSource,
  index: number,
): { figures: ColumnFigures | null; error: AppError | null } {
  const rows = rowsHere(source);
  const { type } = source.columns[index]!;
  const here = useMemo(
    () =>
      rows &&
      columnFigures(
        rows.map((row) => row[index] ?? null),
        type,
      ),
    [rows, index, type],
  );
  const [known, setKnown] = useState<{
    source: RowSource;
    index: number;
    figures: ColumnFigures | null;
    error: AppError | null;
  } | null>(null);
  useEffect(() => {
    if (rows) return;
    let gone = false;
    const tell = (figures: ColumnFigures | null, error: AppError | null) =>
      !gone && setKnown({ source, index, figures, error });
    source.engine
      ?.figures(index)
      .then((figures) => tell(figures, null))
      .catch((thrown) => tell(null, toAppError(thrown)));
    return () => {
      gone = true;
    };
  }, [source, rows, index]);
  if (here) return { figures: here, error: null };
  const current = known?.source === source && known.index === index ? known : null;
  return { figures: current?.figures ?? null, error: current?.error ?? null };
}
