import { Eye, KeyRound, Link2, Table2 } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type {
  Column,
  ColumnProfile,
  FileReading,
  InferredKeyRow,
  SemanticKind,
  Table,
  TableProfile,
} from "../../host/bindings";
import { Button } from "../../kit/button";
import { cx } from "../../kit/cx";
import { ErrorNote } from "../../kit/error";
import { SearchInput } from "../../kit/field";
import { compact, count, percent, plural } from "../../kit/format";
import { Badge, Empty, Skeleton } from "../../kit/status";
import { FileSection } from "./FileSection";
import { InferredKeys } from "./InferredKeys";
import { OwnFunctions } from "./OwnFunctions";
import { Safety } from "./Safety";
import { columnValues, searchTables, tableLabel, tableProfile } from "./search";
import { loadCatalog, loadKeys, loadProfile, loadReadings, useCatalogs } from "./state";

const KINDS: Record<SemanticKind, string> = {
  identifier: "identifier",
  dimension: "category",
  metric: "number",
  time: "time",
  text: "text",
  nested: "nested",
  geo: "location",
  binary: "bytes",
  empty: "empty",
};

/** Tables listed at a time: a database may have thousands, and the search finds the others. */
const PAGE = 200;

/** Tables and columns: what they are for, what they hold. */
export function CatalogPage({
  uri,
  title,
  prepared,
  reading,
  note,
  links,
  onAsk,
}: {
  uri: string;
  title: string;
  /** Changes when more is known, so that the profile is read again. */
  prepared: number;
  /** Whether more of the profile is on its way. */
  reading: boolean;
  /** What stands above a table, such as that rows have not been read. */
  note?: ReactNode;
  /** What else is decided for the whole warehouse, beside its safety. */
  links?: ReactNode;
  onAsk: (question: string) => void;
}) {
  const entry = useCatalogs((s) => s.entries[uri]);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [most, setMost] = useState(PAGE);
  useEffect(() => void loadCatalog(uri), [uri]);
  useEffect(() => void loadReadings(uri), [uri]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more of the profile is there when `prepared` changes
  useEffect(() => void loadProfile(uri), [uri, prepared]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys are inferred when `prepared` changes
  useEffect(() => void loadKeys(uri), [uri, prepared]);

  const catalog = entry?.catalog ?? null;
  const found = useMemo(() => (catalog ? searchTables(catalog, typed) : []), [catalog, typed]);
  const current = found.find((f) => tableLabel(f.table.name) === chosen) ?? found[0];

  if (entry?.error && !catalog) {
    return (
      <div className="mx-auto w-full max-w-160 p-8">
        <h1 className="sr-only">Tables</h1>
        <ErrorNote
          error={entry.error}
          action={<Button onClick={() => void loadCatalog(uri, true)}>Try again</Button>}
        />
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex w-52 shrink-0 flex-col border-line border-r lg:w-72">
        <div className="px-4 pt-4 pb-2">
          <h1 className="font-semibold text-lg">Tables</h1>
          <p className="truncate text-fg-3 text-sm">
            {catalog ? `${title} · ${plural(catalog.tables.length, "table")}` : title}
          </p>
          <div className="mt-1 flex flex-wrap gap-x-3 text-sm">
            <Safety uri={uri} />
            {links}
            <OwnFunctions uri={uri} />
          </div>
          <SearchInput
            value={typed}
            onChange={(next) => {
              setTyped(next);
              setMost(PAGE);
            }}
            placeholder="Search tables and columns"
            className="mt-3"
          />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
          {!catalog && [1, 2, 3, 4, 5, 6].map((n) => <Skeleton key={n} className="mx-2 my-2 h-5" />)}
          {catalog && found.length === 0 && <p className="px-2 py-1 text-fg-3 text-sm">No matches.</p>}
          {found.slice(0, most).map(({ table, columns }) => {
            const label = tableLabel(table.name);
            const active = current?.table === table;
            const rows = table.rowCount ?? tableProfile(entry?.profile ?? null, table.name)?.rowCount ?? null;
            return (
              <button
                key={label}
                type="button"
                aria-current={active}
                onClick={() => setChosen(label)}
                className={cx(
                  "flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left",
                  active ? "bg-active" : "hover:bg-hover",
                )}
              >
                {table.kind === "view" ? (
                  <Eye size={14} className="shrink-0 text-fg-3" aria-label="View" />
                ) : (
                  <Table2 size={14} className="shrink-0 text-fg-3" aria-hidden />
                )}
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{label}</span>
                  {columns.length > 0 && (
                    <span className="block truncate text-fg-3 text-xs">{columns.slice(0, 4).join(", ")}</span>
                  )}
                </span>
                {rows !== null && <span className="nums shrink-0 text-fg-3 text-xs">{compact(rows)}</span>}
              </button>
            );
          })}
          {found.length > most && (
            <Button size="sm" variant="quiet" onClick={() => setMost(most + PAGE)}>
              Show more ({count(found.length - most)} left)
            </Button>
          )}
        </div>
      </div>
      <div className="min-w-0 flex-1 overflow-y-auto">
        {note && <div className="px-6 pt-4">{note}</div>}
        {current ? (
          <TableDetail
            uri={uri}
            reading={reading}
            table={current.table}
            keys={(entry?.keys ?? []).filter((row) => tableLabel(row.key.table) === tableLabel(current.table.name))}
            fileReading={
              (entry?.readings ?? []).find((reading) => reading.table === tableLabel(current.table.name)) ?? null
            }
            profile={tableProfile(entry?.profile ?? null, current.table.name)}
            marked={current.columns}
            onAsk={onAsk}
          />
        ) : (
          catalog && <Empty icon={<Table2 size={20} />} title={typed ? "No matches" : "No tables"} />
        )}
      </div>
    </div>
  );
}

function TableDetail({
  uri,
  reading,
  table,
  keys,
  fileReading,
  profile,
  marked,
  onAsk,
}: {
  uri: string;
  reading: boolean;
  table: Table;
  /** The table's inferred keys. */
  keys: InferredKeyRow[];
  /** How it was read from its file. */
  fileReading: FileReading | null;
  profile: TableProfile | null;
  marked: string[];
  onAsk: (question: string) => void;
}) {
  const rows = table.rowCount ?? profile?.rowCount ?? null;
  const label = tableLabel(table.name);
  return (
    <div className="px-6 py-4">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="wrap-anywhere font-semibold text-lg">{label}</h2>
          <p className="text-fg-3 text-sm">
            {[
              table.kind === "view" ? "View" : null,
              rows === null ? null : plural(rows, "row"),
              plural(table.columns.length, "column"),
              profile && profile.profiledRows < profile.rowCount
                ? `${plural(profile.profiledRows, "row")} profiled`
                : null,
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
        <Button size="sm" onClick={() => onAsk(`How many rows are in ${label}?`)}>
          Ask about this table
        </Button>
      </div>
      {table.comment && <p className="wrap-anywhere mt-2 max-w-160 text-fg-2">{table.comment}</p>}
      {fileReading && (
        <FileSection uri={uri} reading={fileReading} columns={table.columns.map((column) => column.name)} />
      )}
      <table className="nums mt-4 w-full min-w-130 border-collapse text-left">
        <thead>
          <tr className="border-line border-b text-fg-3 text-xs">
            <th className="py-1.5 pr-4 font-medium">Column</th>
            <th className="py-1.5 pr-4 font-medium">Type</th>
            <th className="py-1.5 pr-4 font-medium">Kind</th>
            <th className="py-1.5 pr-4 font-medium">Values</th>
            <th className="py-1.5 text-right font-medium">NULL</th>
          </tr>
        </thead>
        <tbody>
          {table.columns.map((column) => (
            <ColumnRow
              key={column.name}
              column={column}
              table={table}
              inferred={keys.filter((row) => row.decision !== "struck" && row.key.columns.includes(column.name))}
              profile={profile?.columns.find((p) => p.name === column.name) ?? null}
              marked={marked.includes(column.name)}
              pending={profile === null && reading}
            />
          ))}
        </tbody>
      </table>
      <InferredKeys uri={uri} keys={keys} />
    </div>
  );
}

function ColumnRow({
  column,
  table,
  inferred,
  profile,
  marked,
  pending,
}: {
  column: Column;
  table: Table;
  inferred: InferredKeyRow[];
  profile: ColumnProfile | null;
  marked: boolean;
  pending: boolean;
}) {
  const key = table.primaryKey.includes(column.name);
  const reference = table.foreignKeys.find((f) => f.columns.includes(column.name));
  const fields = profile?.fields ?? [];
  return (
    <>
      <tr className={cx("border-line align-top", fields.length === 0 && "border-b", marked && "bg-accent-soft")}>
        <td className="py-2 pr-4">
          <span className="flex items-center gap-1.5">
            <span className="max-w-60 truncate font-medium" title={column.name}>
              {column.name}
            </span>
            {key && <KeyRound size={12} className="shrink-0 text-warn" aria-label="Primary key" />}
            {reference && (
              <span
                className="inline-flex items-center gap-0.5 text-fg-3 text-xs"
                title={`References ${tableLabel(reference.refTable)}`}
              >
                <Link2 size={12} aria-label="References" />
                {reference.refTable.name}
              </span>
            )}
            {inferred.length > 0 && (
              <span className="text-fg-3 text-xs" title={inferred.map((row) => row.key.reason).join("\n")}>
                inferred
              </span>
            )}
          </span>
          {column.comment && <span className="block max-w-80 break-words text-fg-3 text-sm">{column.comment}</span>}
        </td>
        <td className="py-2 pr-4 font-mono text-fg-2 text-xs leading-5">{column.dataType.toLowerCase() || "any"}</td>
        {profile ? (
          <ProfileCells profile={profile} />
        ) : (
          <>
            <td className="py-2 pr-4">{pending && <Skeleton className="h-4 w-16" />}</td>
            <td className="py-2 pr-4">{pending && <Skeleton className="h-4 w-40" />}</td>
            <td />
          </>
        )}
      </tr>
      {fields.map((field, index) => (
        <tr key={field.name} className={cx("border-line align-top", index === fields.length - 1 && "border-b")}>
          <td className="wrap-anywhere max-w-60 py-1 pr-4 pl-4 font-mono text-fg-2 text-xs leading-5">
            {field.name}
          </td>
          <td className="py-1 pr-4 font-mono text-fg-3 text-xs leading-5">{field.dataType.toLowerCase()}</td>
          <ProfileCells profile={field} close />
        </tr>
      ))}
    </>
  );
}

/** Kind, values and share of NULLs of a column or of a nested field. */
function ProfileCells({ profile, close }: { profile: ColumnProfile; close?: boolean }) {
  const space = close ? "py-1" : "py-2";
  return (
    <>
      <td className={cx(space, "pr-4")}>
        <span className="flex flex-wrap gap-1">
          <Badge tone={profile.kind === "metric" || profile.kind === "time" ? "accent" : "plain"}>
            {KINDS[profile.kind]}
          </Badge>
          {profile.hidden && <Badge tone="warn">{profile.hidden.replace(/^number/, "stored as text")}</Badge>}
        </span>
      </td>
      <td className={cx(space, "max-w-100 break-words pr-4 text-fg-2 text-sm")}>
        <span className="line-clamp-2">{columnValues(profile)}</span>
      </td>
      <td className={cx(space, "text-right text-fg-3 text-sm")}>
        {profile.nullRatio > 0 ? percent(profile.nullRatio) : ""}
      </td>
    </>
  );
}
