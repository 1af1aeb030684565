import type { Catalog, ColumnProfile, Profile, Table, TableName, TableProfile } from "../../host/bindings";

export function tableLabel(name: TableName): string {
  return [name.catalog, name.schema, name.name].filter(Boolean).join(".");
}

export interface Found {
  table: Table;
  /** Columns whose name matches; empty when the table's own name does. */
  columns: string[];
}

/** Tables whose name, comment or columns contain every word that was typed. */
export function searchTables(catalog: Catalog, typed: string): Found[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return catalog.tables.map((table) => ({ table, columns: [] }));
  return catalog.tables.flatMap((table) => {
    const own = `${tableLabel(table.name)} ${table.comment ?? ""}`.toLowerCase();
    const left = words.filter((w) => !own.includes(w));
    if (left.length === 0) return [{ table, columns: [] }];
    const columns = table.columns.filter((c) => {
      const text = `${c.name} ${c.comment ?? ""}`.toLowerCase();
      return left.every((w) => text.includes(w));
    });
    return columns.length > 0 ? [{ table, columns: columns.map((c) => c.name) }] : [];
  });
}

export function tableProfile(profile: Profile | null, name: TableName): TableProfile | null {
  return (
    profile?.tables.find(
      (t) => t.table.name === name.name && t.table.schema === name.schema && t.table.catalog === name.catalog,
    ) ?? null
  );
}

/** "mean 12.5 ± 3.2": mean and standard deviation. */
function spread({ mean, stddev }: ColumnProfile): string | null {
  if (mean === null) return null;
  const short = (value: number) => String(Number(value.toPrecision(4)));
  return `mean ${short(Number(mean))}${stddev === null ? "" : ` ± ${short(stddev)}`}`;
}

/** What a column holds, in a few words. */
export function columnValues(profile: ColumnProfile): string {
  if (profile.kind === "empty") return "no values";
  const range = profile.min !== null && profile.max !== null ? `${profile.min} – ${profile.max}` : null;
  if (profile.kind === "metric" && range) return [range, spread(profile)].filter(Boolean).join(", ");
  if (profile.kind === "time" && range) return range;
  if (profile.top.length > 0 && (profile.complete || profile.kind === "dimension")) {
    const shown = profile.top.slice(0, 6).map(([value]) => value);
    return shown.join(", ") + (profile.distinct > shown.length ? ", …" : "");
  }
  return profile.samples.slice(0, 4).join(", ") + (profile.samples.length > 0 && profile.distinct > 4 ? ", …" : "");
}
