// A catalog that is too large to be here: what is shown of it is asked of the host, and no more of it is kept.

import { useEffect, useMemo, useRef, useState } from "react";
import type { AppError, CatalogPart, FoundName, Reach, TableName, TableSummary } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import type { Search } from "../../kit/useSearchResults";
import { useCatalogs } from "./state";

/** Tables that the host gives at a time. */
const PAGE = 100;
/** Pages that are kept; those farthest from what is shown go first. */
const HELD = 12;
/** Pages that are asked for at once. */
const AT_ONCE = 4;
/** Delay of requests to the host while the user types or scrolls, in milliseconds. */
const PAUSE_MS = 120;

/** The tables that a search finds, of which some are here. */
export interface Pages {
  /** The search text. */
  search: string;
  count: number;
  /** True if rows also name the columns that were found. */
  tall: boolean;
  at: (index: number) => TableSummary | null;
  /** These are about to be shown. */
  need: (from: number, to: number) => void;
}

interface SearchResult {
  key: string;
  search: string;
  count: number;
  pages: Map<number, TableSummary[]>;
  /** True if the first tables were found by their columns. */
  byColumns: boolean;
}

/** The tables of a large catalog by page; until a search has found some, those that were found before stay. */
export function usePages(uri: string, search: string, fingerprint: string, on: boolean) {
  const [held, setHeld] = useState<SearchResult | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const key = JSON.stringify([uri, search, fingerprint]);
  useEffect(() => {
    if (!on) return;
    let current = true;
    const timer = setTimeout(
      () =>
        host()
          .tables(uri, search, 0, PAGE)
          .then(
            (page) => {
              if (!current) return;
              const byColumns = page.tables.some(({ hits }) => hits.length > 0);
              setHeld({ key, search, count: page.found, pages: new Map([[0, page.tables]]), byColumns });
              setError(null);
            },
            (thrown) => current && setError(toAppError(thrown)),
          ),
      search === "" ? 0 : PAUSE_MS,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [on, uri, search, key]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wanted = useRef<number[]>([]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const pages = useMemo((): Pages | null => {
    if (!held) return null;
    const need = (from: number, to: number) => {
      clearTimeout(timer.current);
      const [first, last] = [
        Math.floor(from / PAGE),
        Math.floor(Math.max(from, Math.min(to, held.count - 1)) / PAGE),
      ];
      const missing = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((n) => !held.pages.has(n));
      wanted.current = [...wanted.current.filter((n) => !missing.includes(n)), ...missing];
      if (wanted.current.length === 0) return;
      const [of, typed] = JSON.parse(held.key) as [string, string];
      timer.current = setTimeout(() => {
        // Skips pages that were scrolled past.
        const next = wanted.current.slice(-AT_ONCE);
        wanted.current = [];
        for (const n of next) {
          host()
            .tables(of, typed, n * PAGE, PAGE)
            .then(
              ({ tables }) => setHeld((now) => (now?.key === held.key ? withPage(now, n, tables) : now)),
              (thrown) => setError(toAppError(thrown)),
            );
        }
      }, PAUSE_MS);
    };
    const at = (index: number) => held.pages.get(Math.floor(index / PAGE))?.[index % PAGE] ?? null;
    return { search: held.search, count: held.count, tall: held.byColumns, at, need };
  }, [held]);
  return { pages, error };
}

function withPage(held: SearchResult, number: number, tables: TableSummary[]): SearchResult {
  const pages = new Map(held.pages).set(number, tables);
  if (pages.size > HELD) {
    const farthest = [...pages.keys()].reduce((a, b) => (Math.abs(b - number) > Math.abs(a - number) ? b : a));
    pages.delete(farthest);
  }
  return { ...held, pages };
}

/** A table of a large catalog with what is around it; until another one is here, the last stays. */
export function usePart(uri: string, name: TableName | null, reach: Reach, limit: number, changes: unknown[]) {
  const [part, setPart] = useState<CatalogPart | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const key = name && JSON.stringify(name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the name, and the caller says what else it depends on
  useEffect(() => {
    if (!name) return setPart(null);
    let current = true;
    host()
      .table(uri, name, reach, limit)
      .then(
        (next) => {
          if (!current) return;
          setPart(next);
          setError(null);
        },
        (thrown) => current && setError(toAppError(thrown)),
      );
    return () => {
      current = false;
    };
  }, [uri, key, reach, limit, ...changes]);
  return { part, error };
}

/** Looks up names in a large catalog; null if the catalog is loaded or unknown. */
export function useNamesAway(uri: string | null, most: number): Search<FoundName> | null {
  const away = useCatalogs((s) => (uri ? s.entries[uri]?.whole === false : false));
  return useMemo(
    () => (uri && away ? { away: (typed: string) => host().names(uri, typed, most) } : null),
    [uri, away, most],
  );
}
