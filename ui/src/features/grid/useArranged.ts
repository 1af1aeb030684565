// Rows sorted and filtered, as a source of their own.

import { useEffect, useMemo, useState } from "react";
import type { AppError } from "../../host/bindings";
import { toAppError } from "../../host/host";
import type { ValueFormatter } from "../../kit/show";
import { runAtOnce, runInSlices } from "../../kit/timeSlices";
import { arrange, rowsHere } from "./arrange";
import type { LayoutChange } from "./layout";
import { pageRows, type Row, type RowSource } from "./source";

/** Number of rows that are sorted without a noticeable delay. */
const FEW = 2_000;

interface ArrangementRequest extends LayoutChange {
  source: RowSource;
  shows: ValueFormatter[];
  /** The rows, where they are here. */
  rows: Row[] | null;
}

/**
 * The source with its rows arranged; itself until they are, and if there is nothing to arrange. Rows that are not here are arranged by
 * the engine of their source, many that are here in slices of time: until then they are shown as they were, and `busy` says so.
 */
export function useArranged(
  source: RowSource,
  shows: ValueFormatter[],
  look: LayoutChange | null,
): { view: RowSource; busy: boolean; error: AppError | null } {
  const { sort, filters } = look ?? {};
  const rows = rowsHere(source);
  const wanted = useMemo(
    (): ArrangementRequest | null =>
      sort !== undefined && filters !== undefined ? { source, rows, shows, sort, filters } : null,
    [source, rows, shows, sort, filters],
  );
  const few = useMemo(
    () => (wanted?.rows && wanted.rows.length <= FEW ? viewOf(wanted, runAtOnce(placesOf(wanted))) : null),
    [wanted],
  );
  const [done, setDone] = useState<{ wanted: ArrangementRequest; view: RowSource } | null>(null);
  const [failed, setFailed] = useState<{ wanted: ArrangementRequest; error: AppError } | null>(null);
  useEffect(() => {
    if (!wanted || few) return setDone(null);
    const stop = new AbortController();
    const { engine } = wanted.source;
    const work = wanted.rows
      ? runInSlices(placesOf(wanted), stop.signal).then((places) => places && viewOf(wanted, places))
      : engine?.arrange(wanted, stop.signal);
    work
      ?.then((view) => !stop.signal.aborted && view && setDone({ wanted, view }))
      .catch((thrown) => !stop.signal.aborted && setFailed({ wanted, error: toAppError(thrown) }));
    return () => stop.abort();
  }, [wanted, few]);
  // Another order of the same rows replaces the earlier one by itself.
  const working = wanted && !wanted.rows ? source.engine : undefined;
  useEffect(() => () => working?.stop(), [working]);
  if (!wanted) return { view: source, busy: false, error: null };
  if (few) return { view: few, busy: false, error: null };
  const here = done?.wanted.source === source && done.wanted.rows === rows ? done : null;
  const error = failed?.wanted === wanted ? failed.error : null;
  return { view: here?.view ?? source, busy: error === null && here?.wanted !== wanted, error };
}

const placesOf = ({ rows, source, shows, ...look }: ArrangementRequest) =>
  arrange(rows!, source.columns, shows, look);

const viewOf = ({ rows, source }: ArrangementRequest, places: number[]) =>
  pageRows(
    source.columns,
    places.map((place) => rows![place]!),
  );
