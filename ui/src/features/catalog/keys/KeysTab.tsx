import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useDeferredValue, useMemo, useState } from "react";
import type { Reach as AnyReach, Catalog, InferredKeyRow, Profile, Table, TableName } from "../../../host/bindings";
import { SearchInput } from "../../../kit/field";
import { Segmented } from "../../../kit/segmented";
import { usePart } from "../large";
import { tableLabel } from "../search";
import { KeyList } from "./KeyList";
import { KeyPicture } from "./KeyPicture";
import { linksBetween, linksOf, linksOfPart, schemaOf, tablesAround } from "./links";

/** Maximum number of tables drawn at a time. */
const MOST = 120;

export type Reach = Exclude<AnyReach, "alone">;
export type Form = "picture" | "list";

/** The options of the tab; they stay when another table is opened. */
export interface KeysView {
  reach: Reach;
  form: Form;
}

/** The keys of a table: to its neighbours, further on, or in its whole schema. */
export function KeysTab({
  uri,
  catalog,
  whole,
  profile: own,
  inferred,
  table,
  view: { reach, form },
  onView,
  onOpen,
}: {
  uri: string;
  catalog: Catalog;
  /** True if the catalog has all its tables; otherwise the host says which are around this one. */
  whole: boolean;
  profile: Profile | null;
  inferred: InferredKeyRow[];
  table: Table;
  view: KeysView;
  onView: (view: KeysView) => void;
  onOpen: (table: TableName) => void;
}) {
  const [typed, setTyped] = useState("");
  const search = useDeferredValue(typed).trim().toLowerCase();
  const label = tableLabel(table.name);
  // For large catalogs; until it is loaded, the table is shown alone.
  const { part } = usePart(uri, whole ? null : table.name, reach, MOST, [inferred]);
  const links = useMemo(
    () => (whole ? linksOf(catalog, inferred) : linksOfPart(part, table)),
    [whole, catalog, inferred, part, table],
  );
  const profile = useMemo(
    () => (part ? { fingerprint: "", complete: false, tables: part.profiles } : own),
    [part, own],
  );
  const { labels, left } = useMemo(() => {
    if (!whole) return { labels: [...links.tables.keys()], left: part?.left ?? 0 };
    return reach === "schema"
      ? schemaOf(links, label, MOST)
      : tablesAround(links, label, reach === "near" ? 1 : 2, MOST);
  }, [whole, links, part, label, reach]);
  const shown = useMemo(() => linksBetween(links, labels), [links, labels]);
  const found = useMemo(
    () => (search === "" ? [] : labels.filter((name) => name.toLowerCase().includes(search))),
    [labels, search],
  );
  const open = useMemo(() => (next: Table) => onOpen(next.name), [onOpen]);
  const tied = labels.length > 1 || shown.length > 0;
  return (
    <section aria-label={t`Keys`} className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 px-6 py-2">
        <Segmented
          label={t`Tables shown`}
          value={reach}
          choices={[
            { value: "near", label: t`Neighbours` },
            { value: "far", label: t`Two keys away` },
            { value: "schema", label: t`Schema` },
          ]}
          onChange={(next) => onView({ reach: next, form })}
        />
        <Segmented
          label={t`View as`}
          value={form}
          choices={[
            { value: "picture", label: t`Diagram` },
            { value: "list", label: t`List` },
          ]}
          onChange={(next) => onView({ reach, form: next })}
        />
        {form === "picture" && labels.length > 8 && (
          <SearchInput
            value={typed}
            onChange={setTyped}
            placeholder={t`Find a table`}
            className="w-44"
            onKeyDown={(event) => {
              const first = links.tables.get(found[0] ?? "");
              if (event.key === "Enter" && first) open(first);
              if (event.key === "Escape" && typed !== "") {
                event.stopPropagation();
                setTyped("");
              }
            }}
          />
        )}
        <span role="status" className="text-fg-3 text-sm">
          {search !== "" && found.length === 0
            ? t`No matches`
            : `${plural(labels.length, { one: "# table", other: "# tables" })}, ${plural(shown.length, { one: "# key", other: "# keys" })}${
                left > 0 ? t`; ${plural(left, { one: "# more table", other: "# more tables" })} not shown` : ""
              }`}
        </span>
      </div>
      {form === "list" ? (
        <KeyList links={links} labels={labels} shown={shown} onOpen={open} />
      ) : tied ? (
        <KeyPicture
          links={links}
          labels={labels}
          shown={shown}
          chosen={label}
          found={found}
          profile={profile}
          onOpen={open}
        />
      ) : (
        <p className="px-6 py-2 text-fg-3 text-sm">
          <Trans>This table has no keys to other tables.</Trans>
        </p>
      )}
      {form === "picture" && shown.some(({ evidence }) => evidence !== null) && (
        <p className="shrink-0 px-6 pb-2 text-fg-3 text-xs">
          <Trans>Solid: declared by the database. Dashed: inferred from the data.</Trans>
        </p>
      )}
    </section>
  );
}
