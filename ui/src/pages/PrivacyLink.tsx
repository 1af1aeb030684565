import { useMemo } from "react";
import { tableLabel } from "../features/catalog/search";
import { useCatalogs } from "../features/catalog/state";
import { PrivacyDialog } from "../features/egress/PrivacyDialog";
import { host } from "../host/host";
import type { Search } from "../kit/useSearchResults";

/** Columns of a large catalog that are offered at a time. */
const COLUMNS = 50;

/** The privacy settings of a warehouse, with the columns of its catalog to choose from. */
export function PrivacyLink({ uri }: { uri: string }) {
  const catalog = useCatalogs((s) => s.entries[uri]?.catalog ?? null);
  const away = useCatalogs((s) => s.entries[uri]?.whole === false);
  // They are made once they can be chosen; those of a large catalog are looked up.
  const columns = useMemo((): Search<string> => {
    if (away) return { away: (typed) => host().columns(uri, typed, COLUMNS) };
    return {
      here: () =>
        catalog?.tables.flatMap((table) =>
          table.columns.map((column) => `${tableLabel(table.name)}.${column.name}`),
        ) ?? [],
    };
  }, [uri, catalog, away]);
  return <PrivacyDialog uri={uri} columns={columns} />;
}
