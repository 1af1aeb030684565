import { useCallback } from "react";
import { tableLabel } from "../features/catalog/search";
import { useCatalogs } from "../features/catalog/state";
import { WhatLeaves } from "../features/egress/WhatLeaves";

/** What leaves of a warehouse, with the columns of its catalog to choose from. */
export function LeavesLink({ uri }: { uri: string }) {
  const catalog = useCatalogs((s) => s.entries[uri]?.catalog ?? null);
  // Of a large catalog these are half a million names: they are made once they can be chosen.
  const columns = useCallback(
    () =>
      catalog?.tables.flatMap((table) => table.columns.map((column) => `${tableLabel(table.name)}.${column.name}`)) ??
      [],
    [catalog],
  );
  return <WhatLeaves uri={uri} columns={columns} />;
}
