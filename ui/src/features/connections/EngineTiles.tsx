import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { WarehouseKind } from "../../host/bindings";
import { kindIcon } from "./WarehouseMenu";

const TILES: { kind: WarehouseKind; title: string; note: string }[] = [
  {
    kind: "postgres",
    title: "PostgreSQL",
    get note() {
      return t`Database server`;
    },
  },
  {
    kind: "mysql",
    get title() {
      return t`MySQL, MariaDB`;
    },
    get note() {
      return t`Database server`;
    },
  },
  {
    kind: "bigquery",
    title: "BigQuery",
    get note() {
      return t`Google Cloud project`;
    },
  },
  {
    kind: "snowflake",
    title: "Snowflake",
    get note() {
      return t`Snowflake account`;
    },
  },
  {
    kind: "clickhouse",
    title: "ClickHouse",
    get note() {
      return t`Preview: over HTTP`;
    },
  },
  {
    kind: "databricks",
    title: "Databricks",
    get note() {
      return t`Preview: a SQL warehouse`;
    },
  },
  {
    kind: "motherduck",
    title: "MotherDuck",
    get note() {
      return t`Preview: DuckDB in the cloud`;
    },
  },
  {
    kind: "adbc",
    get title() {
      return t`Another driver`;
    },
    get note() {
      return t`Preview: SQL Server, Trino…`;
    },
  },
  {
    kind: "sqlite",
    title: "SQLite",
    get note() {
      return t`Database file`;
    },
  },
  {
    kind: "duckdb",
    title: "DuckDB",
    get note() {
      return t`Database file`;
    },
  },
  {
    kind: "file",
    get title() {
      return t`Files`;
    },
    get note() {
      return t`CSV, Parquet, JSON, Excel`;
    },
  },
  {
    kind: "ddl",
    get title() {
      return t`Schema only`;
    },
    get note() {
      return t`CREATE TABLE scripts`;
    },
  },
];

/** A tile for every engine that works. */
export function EngineTiles({ onChoose }: { onChoose: (kind: WarehouseKind) => void }) {
  return (
    <section aria-label={t`Add a connection`}>
      <h2 className="mb-2 font-medium text-fg-2">
        <Trans>Add a connection</Trans>
      </h2>
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
