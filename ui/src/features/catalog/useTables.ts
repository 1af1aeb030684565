import { useEffect, useMemo, useState } from "react";
import type { AppError, Catalog, InferredKeyRow, Profile, Table, TableName } from "../../host/bindings";
import { usePages, usePart } from "./large";
import { searchTables, tableLabel, tableProfile } from "./search";
import { useCatalogs } from "./state";
import type { ListedTable } from "./TableList";

/** The list and the chosen table with its details. */
export interface Tables {
  listed: ListedTable | null;
  /** The position of the chosen table in the list; -1 if unknown. */
  at: number;
  chosen: {
    table: Table;
    /** Columns that the search found. */
    marked: string[];
    profile: Profile | null;
    inferred: InferredKeyRow[];
  } | null;
  error: AppError | null;
  choose: (index: number) => void;
  open: (table: TableName) => void;
}

/** The tables of a catalog that is here, by what was typed; `clear` empties the search. */
export function useTablesHere(uri: string, search: string, clear: () => void): Tables {
  const entry = useCatalogs((s) => s.entries[uri]);
  const catalog = entry?.whole ? entry.catalog : null;
  const profile = entry?.profile ?? null;
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useMemo(() => (catalog ? searchTables(catalog, search) : []), [catalog, search]);
  const index = useMemo(() => found.findIndex((f) => tableLabel(f.table.name) === chosen), [found, chosen]);
  const listed = useMemo(
    (): ListedTable | null =>
      catalog && {
        count: found.length,
        tall: found.some(({ columns }) => columns.length > 0),
        at: (at) => {
          const { table, columns } = found[at]!;
          const rows = table.rowCount ?? tableProfile(profile, table.name)?.rowCount ?? null;
          return { name: tableLabel(table.name), isView: table.kind === "view", rows, hits: columns };
        },
        need: () => {},
      },
    [catalog, found, profile],
  );
  const at = found.length === 0 ? -1 : Math.max(0, index);
  const current = found[at];
  return {
    listed,
    at,
    chosen: current ? { table: current.table, marked: current.columns, profile, inferred: entry?.keys ?? [] } : null,
    error: null,
    choose: (next) => setChosen(tableLabel(found[next]!.table.name)),
    open: (table) => {
      const label = tableLabel(table);
      if (!found.some((f) => tableLabel(f.table.name) === label)) clear();
      setChosen(label);
    },
  };
}

/** The choice in a large catalog: a position in the search results, or a table opened from elsewhere. */
interface Choice {
  search: string;
  at: number;
  name: TableName | null;
}

/** The same of a catalog that is too large to be here. */
export function useTablesAway(uri: string, search: string, prepared: number): Tables {
  const entry = useCatalogs((s) => s.entries[uri]);
  const catalog: Catalog | null = entry && !entry.whole ? entry.catalog : null;
  const { pages, error } = usePages(uri, search, catalog?.fingerprint ?? "", catalog !== null);
  const [choice, setChoice] = useState<Choice | null>(null);
  // Another search begins at its first table.
  const mine = choice && choice.search === pages?.search ? choice : { search, at: 0, name: null };
  const row = mine.at >= 0 ? (pages?.at(mine.at) ?? null) : null;
  // The chosen one may be far from those in view.
  useEffect(() => {
    if (pages && mine.at >= 0 && mine.at < pages.count && row === null) pages.need(mine.at, mine.at);
  }, [pages, mine.at, row]);
  const name = mine.name ?? row?.table ?? null;
  const { part, error: missing } = usePart(uri, name, "alone", 1, [entry?.revision, prepared]);
  const table = part?.tables[0];
  const profile = useMemo(
    () => (part && part.profiles.length > 0 ? { fingerprint: "", complete: false, tables: part.profiles } : null),
    [part],
  );
  return {
    listed: pages,
    at: mine.at,
    chosen:
      table && pages && pages.count > 0
        ? { table, marked: row?.name === tableLabel(table.name) ? row.hits : [], profile, inferred: part.inferred }
        : null,
    error: error ?? missing,
    choose: (at) => setChoice({ search: pages?.search ?? search, at, name: null }),
    open: (table) => setChoice({ search: pages?.search ?? search, at: -1, name: table }),
  };
}
