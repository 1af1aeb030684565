import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Table2 } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useState } from "react";
import { ErrorNote } from "../../kit/error";
import { SearchInput } from "../../kit/field";
import type { Choice } from "../../kit/select";
import { Empty, Skeleton } from "../../kit/status";
import { FilesLeftOut } from "./FileSection";
import { OwnFunctions } from "./OwnFunctions";
import { Safety } from "./Safety";
import { tableLabel } from "./search";
import { loadCatalog, loadKeys, loadProfile, loadReadings, useCatalogs } from "./state";
import { TableList } from "./TableList";
import { FIRST_VIEW, TablePage, type TableView } from "./TablePage";
import { searchFor, useTableSearch } from "./useTableSearch";
import { useTablesAway, useTablesHere } from "./useTables";

/** Tables and columns: what they are for, what they hold. */
export function CatalogPage({
  uri,
  title,
  prepared,
  reading,
  note,
  links,
  models,
  onAsk,
}: {
  uri: string;
  title: string;
  /** Changes when more is known, so that the profile is read again. */
  prepared: number;
  /** True if more of the profile is on its way. */
  reading: boolean;
  /** A note above a table, such as that rows have not been read. */
  note?: ReactNode;
  /** Further settings of the whole warehouse, beside its safety. */
  links?: ReactNode;
  /** Models whose view of a table can be looked at; the first is the default. */
  models: Choice<string>[];
  onAsk: (question: string) => void;
}) {
  const entry = useCatalogs((s) => s.entries[uri]);
  const [typed, setTyped] = useState("");
  const [view, setView] = useState<TableView>(FIRST_VIEW);
  useEffect(() => void loadCatalog(uri), [uri]);
  useEffect(() => void loadReadings(uri), [uri]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more of the profile is there when `prepared` changes
  useEffect(() => void loadProfile(uri), [uri, prepared]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys are inferred when `prepared` changes
  useEffect(() => void loadKeys(uri), [uri, prepared]);

  const catalog = entry?.catalog ?? null;
  // Typing stays ahead of the list.
  const search = useDeferredValue(typed);
  const here = useTablesHere(uri, search, () => setTyped(""));
  const away = useTablesAway(uri, search, prepared);
  const { listed, at, chosen, error, choose, open } = entry?.whole === false ? away : here;
  const label = chosen && tableLabel(chosen.table.name);

  const sought = useTableSearch((s) => s.sought);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once, as soon as the catalog is there
  useEffect(() => {
    if (!sought || !catalog) return;
    searchFor(null);
    const table = catalog.tables.find(({ name }) => tableLabel(name) === sought.table);
    setView(FIRST_VIEW);
    // Of a large catalog, and for a column, the list shows what has the name.
    setTyped(table && sought.kind === "table" ? "" : sought.name);
    if (table) open(table.name);
  }, [sought, catalog]);

  if (entry?.error && !catalog) {
    return (
      <div className="mx-auto w-full max-w-160 p-8">
        <h1 className="sr-only">
          <Trans>Tables</Trans>
        </h1>
        <ErrorNote error={entry.error} again={() => void loadCatalog(uri, true)} />
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex w-52 shrink-0 flex-col border-line border-r lg:w-72">
        <div className="px-4 pt-4 pb-2">
          <h1 className="font-semibold text-lg">
            <Trans>Tables</Trans>
          </h1>
          <p className="truncate text-fg-3 text-sm">
            {catalog ? `${title} · ${plural(entry?.tables ?? 0, { one: "# table", other: "# tables" })}` : title}
          </p>
          <div className="mt-1 flex flex-wrap gap-x-3 text-sm">
            <Safety uri={uri} />
            {links}
            <OwnFunctions uri={uri} />
          </div>
          <FilesLeftOut readings={entry?.readings ?? []} />
          <SearchInput
            value={typed}
            onChange={setTyped}
            placeholder={t`Search tables and columns`}
            className="mt-3"
          />
        </div>
        {error && (
          <div className="px-4 pb-2">
            <ErrorNote error={error} compact />
          </div>
        )}
        {!listed && !error && [1, 2, 3, 4, 5, 6].map((n) => <Skeleton key={n} className="mx-4 my-2 h-5" />)}
        {listed?.count === 0 && (
          <p className="px-4 py-1 text-fg-3 text-sm">
            <Trans>No matches.</Trans>
          </p>
        )}
        {listed && listed.count > 0 && (
          <TableList listed={listed} current={listed.at(at)?.name ?? label} at={at} onChoose={choose} />
        )}
      </div>
      <div className="flex min-w-0 flex-1 flex-col overflow-y-auto">
        {note && <div className="shrink-0 px-6 pt-4">{note}</div>}
        {catalog && chosen ? (
          <TablePage
            key={label}
            uri={uri}
            reading={reading}
            catalog={catalog}
            whole={entry?.whole !== false}
            profile={chosen.profile}
            inferred={chosen.inferred}
            fileReading={(entry?.readings ?? []).find((reading) => reading.table === label) ?? null}
            table={chosen.table}
            marked={chosen.marked}
            models={models}
            view={view}
            onView={setView}
            onOpen={open}
            onAsk={onAsk}
          />
        ) : (
          listed?.count === 0 && <Empty icon={<Table2 size={20} />} title={typed ? t`No matches` : t`No tables`} />
        )}
      </div>
    </div>
  );
}
