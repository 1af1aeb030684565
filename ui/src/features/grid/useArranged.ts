// Rows sorted and filtered, as a source of their own.

import { useEffect, useMemo, useState } from "react";
import type { Show } from "../../kit/show";
import { atOnce, inSlices } from "../../kit/slices";
import { arrange } from "./arrange";
import type { Arranging } from "./look";
import { pageRows, type Row, type RowSource } from "./source";

/** So many rows are in order before anybody could notice. */
const FEW = 2_000;

interface Wanted extends Arranging {
  rows: Row[];
  source: RowSource;
  shows: Show[];
}

/**
 * The source with its rows arranged; itself until they are read, and if there is nothing to arrange. Many rows are arranged while the
 * window goes on: until they are, they are shown as they were, and `busy` says so.
 */
export function useArranged(
  source: RowSource,
  rows: Row[] | null,
  shows: Show[],
  look: Arranging | null,
): { view: RowSource; busy: boolean } {
  const { sort, filters } = look ?? {};
  const wanted = useMemo(
    (): Wanted | null =>
      rows && sort !== undefined && filters !== undefined ? { source, rows, shows, sort, filters } : null,
    [source, rows, shows, sort, filters],
  );
  const few = useMemo(
    () => (wanted && wanted.rows.length <= FEW ? viewOf(wanted, atOnce(placesOf(wanted))) : null),
    [wanted],
  );
  const [done, setDone] = useState<{ wanted: Wanted; view: RowSource } | null>(null);
  useEffect(() => {
    if (!wanted || few) return setDone(null);
    const stop = new AbortController();
    void inSlices(placesOf(wanted), stop.signal).then(
      (places) => places && setDone({ wanted, view: viewOf(wanted, places) }),
    );
    return () => stop.abort();
  }, [wanted, few]);
  if (!wanted) return { view: source, busy: false };
  if (few) return { view: few, busy: false };
  const here = done?.wanted.rows === wanted.rows ? done : null;
  return { view: here?.view ?? source, busy: here?.wanted !== wanted };
}

const placesOf = ({ rows, source, shows, ...look }: Wanted) => arrange(rows, source.columns, shows, look);

const viewOf = ({ rows, source }: Wanted, places: number[]) =>
  pageRows(
    source.columns,
    places.map((place) => rows[place]!),
  );
