import { plural, t } from "@lingui/core/macro";
import { Position } from "@xyflow/react";
import { Eye, Table2 } from "lucide-react";
import { memo } from "react";
import type { Table } from "../../../host/bindings";
import { cx } from "../../../kit/cx";
import { CardEnds, type End } from "../../../kit/diagram/ends";
import { compact } from "../../../kit/format";
import { tableLabel } from "../search";

export interface CardData extends Record<string, unknown> {
  table: Table;
  rows: number | null;
  /** Number of its keys to other tables. */
  keys: number;
  chosen: boolean;
  found: boolean;
  tabStop: boolean;
  onOpen: (table: Table) => void;
  onPoint: (label: string | null) => void;
}

export const ENDS: End[] = [
  { type: "target", side: Position.Left },
  { type: "source", side: Position.Right },
];

/** A table of the diagram; Enter or a click opens it. */
export const TableCard = memo(({ data }: { data: CardData }) => {
  const { table, rows, keys, chosen, found, tabStop, onOpen, onPoint } = data;
  const label = tableLabel(table.name);
  const Icon = table.kind === "view" ? Eye : Table2;
  const columns = plural(table.columns.length, { one: "# column", other: "# columns" });
  const within = [table.name.catalog, table.name.schema].filter(Boolean).join(".");
  const counted = rows === null ? null : t`${compact(rows)} rows`;
  return (
    <>
      <button
        type="button"
        data-node={label}
        tabIndex={tabStop ? 0 : -1}
        aria-current={chosen}
        // What the card shows, in its order, then what it leaves out.
        aria-label={[
          table.name.name,
          counted,
          columns,
          plural(keys, { one: "# key", other: "# keys" }),
          within && t`in ${within}`,
        ]
          .filter(Boolean)
          .join(", ")}
        title={label}
        onClick={() => onOpen(table)}
        onFocus={() => onPoint(label)}
        onBlur={() => onPoint(null)}
        onPointerEnter={() => onPoint(label)}
        onPointerLeave={() => onPoint(null)}
        className={cx(
          "flex h-full w-full flex-col justify-center rounded-md border bg-raised px-2.5 text-left shadow-card hover:border-accent",
          chosen ? "border-accent ring-2 ring-accent/25" : "border-line-strong",
          found && "bg-accent-soft",
        )}
      >
        <span className="flex items-center gap-1.5">
          <Icon size={13} className="shrink-0 text-fg-3" aria-hidden />
          <span className="truncate font-medium text-sm">{table.name.name}</span>
        </span>{" "}
        <span className="nums truncate text-fg-3 text-xs">{counted ?? columns}</span>
      </button>
      <CardEnds ends={ENDS} />
    </>
  );
});
TableCard.displayName = "TableCard";
