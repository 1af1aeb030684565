import { useEffect, useState } from "react";
import type { ResultColumn } from "../../host/bindings";
import { MOST_ROWS } from "./arrange";
import type { Range } from "./select";
import type { RowSource } from "./source";
import { type SelectionFigures, selectionFigures } from "./statistics";

/** A selection that grows by dragging is counted once it rests. */
const REST_MS = 80;

/** Figures about the selected cells; null for one cell, and for more rows than are read for it. */
export function useFigures(source: RowSource, seen: number[], range: Range | null): SelectionFigures | null {
  const [known, setKnown] = useState<{ key: string; figures: SelectionFigures } | null>(null);
  const { top, bottom, left, right } = range ?? { top: 0, bottom: 0, left: 0, right: 0 };
  const columns = seen.slice(left, right + 1).join();
  const key = `${top} ${bottom} ${columns}`;
  const counted = severalCells(range) && bottom - top < MOST_ROWS;
  useEffect(() => {
    if (!counted) return setKnown(null);
    let gone = false;
    const count = async () => {
      const rows = await source.read(top, bottom + 1);
      const figures = selectionFigures(
        columns.split(",").map((c) => {
          const { type }: ResultColumn = source.columns[Number(c)]!;
          return { type, values: rows.map((row) => row[Number(c)] ?? null) };
        }),
      );
      if (!gone) setKnown({ key, figures });
    };
    // Rows that cannot be read are told of where they are drawn.
    const timer = setTimeout(() => void count().catch(() => {}), REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [source, counted, key, top, bottom, columns]);
  return counted && known?.key === key ? known.figures : null;
}

export function severalCells(range: Range | null): boolean {
  return range !== null && (range.bottom > range.top || range.right > range.left);
}
