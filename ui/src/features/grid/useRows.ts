// All rows of a result, read when they are needed to sort, filter, search or count.

import { useEffect, useState } from "react";
import type { AppError } from "../../host/bindings";
import { toAppError } from "../../host/host";
import { READ_ROWS, type Row, type RowSource } from "./source";

export interface AllRows {
  rows: Row[] | null;
  /** Rows read so far, while they are read. */
  done: number | null;
  error: AppError | null;
}

const NOTHING: AllRows = { rows: null, done: null, error: null };

/** `wanted` begins the reading; without it a reading that is under way ends. */
export function useAllRows(source: RowSource, wanted: boolean): AllRows {
  const [known, setKnown] = useState<{ source: RowSource; all: AllRows }>({ source, all: NOTHING });
  const current = known.source === source ? known.all : NOTHING;
  const rows = source.all ?? current.rows;
  const { rowCount } = source;
  const begin = wanted && (rows === null || rows.length !== rowCount);

  useEffect(() => {
    if (!begin) return;
    let gone = false;
    const tell = (all: AllRows) => setKnown({ source, all });
    const read = async () => {
      const rows: Row[] = [];
      tell({ rows: null, done: 0, error: null });
      while (rows.length < rowCount) {
        const part = await source.read(rows.length, Math.min(rowCount, rows.length + READ_ROWS));
        if (gone) return;
        if (part.length === 0) break;
        rows.push(...part);
        if (rows.length < rowCount) tell({ rows: null, done: rows.length, error: null });
      }
      tell({ rows, done: null, error: null });
    };
    read().catch((thrown) => !gone && tell({ rows: null, done: null, error: toAppError(thrown) }));
    return () => {
      gone = true;
    };
  }, [source, rowCount, begin]);

  if (source.all) return { rows: source.all, done: null, error: null };
  return wanted ? current : { ...current, done: null, error: null };
}
