import type { WarehouseKind } from "../../host/bindings";
import { kindIcon } from "./WarehouseMenu";

const TILES: { kind: WarehouseKind; title: string; note: string }[] = [
  { kind: "postgres", title: "PostgreSQL", note: "A database on a server" },
  { kind: "mysql", title: "MySQL, MariaDB", note: "A database on a server" },
  { kind: "bigquery", title: "BigQuery", note: "A project of Google's" },
  { kind: "snowflake", title: "Snowflake", note: "A database of an account" },
  { kind: "clickhouse", title: "ClickHouse", note: "Preview: over HTTP" },
  { kind: "sqlite", title: "SQLite", note: "A database file" },
  { kind: "duckdb", title: "DuckDB", note: "A database file" },
  { kind: "file", title: "Files", note: "CSV, Parquet, JSON, Excel" },
  { kind: "ddl", title: "Schema only", note: "CREATE TABLE scripts" },
];

/** A tile for every engine that works. */
export function EngineTiles({ onChoose }: { onChoose: (kind: WarehouseKind) => void }) {
  return (
    <section aria-label="Add a connection">
      <h2 className="mb-2 font-medium text-fg-2">Add a connection</h2>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-4">
        {TILES.map((tile) => (
          <button
            key={tile.kind}
            type="button"
            onClick={() => onChoose(tile.kind)}
            className="flex flex-col items-start gap-2 rounded-lg border border-line px-3 py-3 text-left transition-colors hover:border-accent-line hover:bg-accent-soft"
          >
            <span className="text-accent">{kindIcon(tile.kind, 18)}</span>
            <span>
              <span className="block font-medium">{tile.title}</span>
              <span className="block text-fg-3 text-xs">{tile.note}</span>
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}
