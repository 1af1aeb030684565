import { Tabs } from "@base-ui/react/tabs";
import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { lazy, type ReactNode, Suspense, useContext, useState } from "react";
import type { Catalog, FileReading, InferredKeyRow, Profile, Table, TableName } from "../../host/bindings";
import { Button } from "../../kit/button";
import { cx } from "../../kit/cx";
import { lazyRecord } from "../../kit/lazyRecord";
import type { Choice } from "../../kit/select";
import { LoadingText } from "../../kit/status";
import { BrowseContext } from "./browse";
import { ColumnsTable } from "./ColumnsTable";
import { sampleText } from "./columnText";
import { FileSection } from "./FileSection";
import { InferredKeys } from "./InferredKeys";
import type { KeysView } from "./keys/KeysTab";
import { ModelText } from "./ModelText";
import { Notes } from "./Notes";
import { SampleRows } from "./SampleRows";
import { tableLabel, tableProfile } from "./search";

// The diagram is loaded when it is looked at.
const KeysTab = lazy(async () => ({ default: (await import("./keys/KeysTab")).KeysTab }));

const TABS = ["columns", "rows", "keys", "text"] as const;
type TableTab = (typeof TABS)[number];

const TITLES: Record<TableTab, string> = lazyRecord({
  columns: () => t`Columns`,
  rows: () => t`Sample rows`,
  keys: () => t`Keys`,
  text: () => t`What the model sees`,
});

/** The open tab of a table; it stays when another table is opened. */
export interface TableView {
  tab: TableTab;
  keys: KeysView;
}

export const FIRST_VIEW: TableView = { tab: "columns", keys: { reach: "near", form: "picture" } };

/** One table: its columns, rows and keys, and its text in prompts. */
export function TablePage({
  uri,
  reading,
  catalog,
  whole,
  profile: known,
  inferred,
  fileReading,
  table,
  marked,
  models,
  view,
  onView,
  onOpen,
  onAsk,
}: {
  uri: string;
  reading: boolean;
  catalog: Catalog;
  /** True if the catalog has all its tables. */
  whole: boolean;
  profile: Profile | null;
  /** The inferred keys of this table, and maybe of others. */
  inferred: InferredKeyRow[];
  /** How Vitrine read the table from its file. */
  fileReading: FileReading | null;
  table: Table;
  /** Columns that the search found. */
  marked: string[];
  models: Choice<string>[];
  view: TableView;
  onView: (view: TableView) => void;
  /** Opens another table. */
  onOpen: (table: TableName) => void;
  onAsk: (question: string) => void;
}) {
  const Browse = useContext(BrowseContext);
  const [browsing, setBrowsing] = useState(false);
  const label = tableLabel(table.name);
  const profile = tableProfile(known, table.name);
  const keys = inferred.filter((row) => tableLabel(row.key.table) === label);
  const looked = sampleText(profile);
  const rows = table.rowCount ?? profile?.rowCount ?? null;
  const facts = [
    table.kind === "view" ? t`View` : null,
    // The size of the sample already includes the row count.
    rows === null || looked ? null : plural(rows, { one: "# row", other: "# rows" }),
    plural(table.columns.length, { one: "# column", other: "# columns" }),
    looked,
  ].filter((fact) => fact !== null);
  return (
    <Tabs.Root
      value={view.tab}
      onValueChange={(tab) => {
        // A tab that is left closes the rows: they are opened again on request only.
        setBrowsing(false);
        onView({ ...view, tab: tab as TableTab });
      }}
      className="flex min-h-96 flex-1 flex-col"
    >
      <div className="shrink-0 px-6 pt-4">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <div className="min-w-0 flex-1 basis-40">
            <h2 className="wrap-anywhere font-semibold text-lg">{label}</h2>
            <p className="nums text-fg-3 text-sm">{facts.join(" · ")}</p>
          </div>
          <Button size="sm" onClick={() => onAsk(t`How many rows are in ${label}?`)}>
            <Trans>Ask about this table</Trans>
          </Button>
        </div>
        {table.comment && (
          <p className="wrap-anywhere mt-1 line-clamp-3 max-w-160 text-fg-2" title={table.comment}>
            {table.comment}
          </p>
        )}
        <TabList />
      </div>
      <Panel value="columns">
        {fileReading && (
          <FileSection uri={uri} reading={fileReading} columns={table.columns.map((column) => column.name)} />
        )}
        <div className="mt-2">
          <Notes table={table} column={null} />
        </div>
        <ColumnsTable
          table={table}
          profile={profile}
          keys={keys}
          marked={marked}
          pending={reading && profile === null}
          onOpen={onOpen}
        />
        <InferredKeys uri={uri} keys={keys} />
      </Panel>
      <Panel value="rows" whole={browsing}>
        {Browse && browsing ? (
          <Browse uri={uri} table={table.name} dialect={catalog.dialect} onClose={() => setBrowsing(false)} />
        ) : (
          <SampleRows uri={uri} table={table.name} onBrowse={Browse ? () => setBrowsing(true) : undefined} />
        )}
      </Panel>
      <Panel value="keys" whole>
        <KeysTab
          uri={uri}
          catalog={catalog}
          whole={whole}
          profile={known}
          inferred={inferred}
          table={table}
          view={view.keys}
          onView={(keys) => onView({ ...view, keys })}
          onOpen={onOpen}
        />
      </Panel>
      <Panel value="text">
        <ModelText uri={uri} table={table.name} models={models} changes={profile} />
      </Panel>
    </Tabs.Root>
  );
}

function TabList() {
  return (
    <Tabs.List className="relative mt-1.5 flex overflow-x-auto overflow-y-hidden border-line border-b">
      {TABS.map((tab) => (
        <Tabs.Tab
          key={tab}
          value={tab}
          className="h-8 whitespace-nowrap rounded-t-md px-2.5 text-fg-2 text-sm outline-offset-[-2px] transition-colors hover:text-fg data-active:font-medium data-active:text-fg"
        >
          {TITLES[tab]}
        </Tabs.Tab>
      ))}
      <Tabs.Indicator className="absolute bottom-0 left-(--active-tab-left) h-0.5 w-(--active-tab-width) rounded-full bg-accent transition-all duration-150" />
    </Tabs.List>
  );
}

/** A tab's content; `whole` fills the height and scrolls by itself. */
function Panel({ value, whole, children }: { value: TableTab; whole?: boolean; children: ReactNode }) {
  return (
    <Tabs.Panel
      value={value}
      tabIndex={-1}
      className={cx("min-h-0 flex-1 outline-none", whole ? "flex flex-col" : "overflow-y-auto px-6 pt-1 pb-6")}
    >
      <Suspense fallback={<LoadingText className="p-6" />}>{children}</Suspense>
    </Tabs.Panel>
  );
}
