// A catalog that is too large to hand out at once, as the host answers about it: by page, by search, by table.

import { findNames } from "../../src/domain/catalogNames";
import { linksOf, schemaOf, tablesAround } from "../../src/features/catalog/keys/links";
import { searchTables, tableLabel, tableProfile } from "../../src/features/catalog/search";
import type { Catalog, InferredKeyRow, Profile } from "../../src/host/bindings";
import { AppFailure, type Host } from "../../src/host/host";

const WHOLE = 1_000;

export function fakeCatalog(catalog: Catalog, profile: Profile, inferred: () => InferredKeyRow[]) {
  const whole = catalog.tables.length <= WHOLE;
  const tables = catalog.tables.length;
  const commands: Pick<Host, "catalog" | "profile" | "table" | "names" | "columns"> = {
    catalog: async () => ({ catalog: whole ? catalog : { ...catalog, tables: [] }, whole, tables }),
    profile: async () => (whole ? profile : { ...profile, tables: [] }),
    table: async (_uri, name, reach, limit) => {
      const links = linksOf(catalog, inferred());
      const label = tableLabel(name);
      if (!links.tables.has(label)) {
        throw new AppFailure({
          code: "notFound",
          message: `Table ${label} not found in retail`,
          hint: null,
          detail: null,
        });
      }
      const { labels, left } =
        reach === "schema"
          ? schemaOf(links, label, limit)
          : tablesAround(links, label, { alone: 0, near: 1, far: 2 }[reach], limit);
      const shown = labels.map((l) => links.tables.get(l)!);
      return {
        tables: shown,
        keys: labels.map((l) => links.of.get(l)?.length ?? 0),
        profiles: shown.flatMap((table) => tableProfile(profile, table.name) ?? []),
        inferred: inferred().filter((row) => labels.includes(tableLabel(row.key.table))),
        left,
      };
    },
    names: async (_uri, typed, limit) => findNames(catalog, typed, limit),
    columns: async (_uri, typed, limit) => {
      const all = catalog.tables.flatMap((t) => t.columns.map((c) => `${tableLabel(t.name)}.${c.name}`));
      return all.filter((name) => name.includes(typed.toLowerCase())).slice(0, limit);
    },
  };
  /** The tables that a search finds, by page. */
  const page: Host["tables"] = async (_uri, search, offset, limit) => {
    const found = searchTables(catalog, search);
    const part = found.slice(offset, offset + Math.min(limit, 500));
    return {
      found: found.length,
      total: tables,
      tables: part.map(({ table, columns }) => ({
        table: table.name,
        name: tableLabel(table.name),
        isView: table.kind === "view",
        columns: table.columns.length,
        rows: table.rowCount,
        comment: table.comment,
        hits: columns,
      })),
    };
  };
  return { commands, page: whole ? null : page };
}
