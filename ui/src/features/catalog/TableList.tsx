import { t } from "@lingui/core/macro";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Eye, Table2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { TableSummary } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { compact } from "../../kit/format";
import { Skeleton } from "../../kit/status";

const ROW = 32;
/** With the columns that the search found. */
const TALL = 50;

/** The tables of the list, of which some may not be here yet. */
export interface ListedTable {
  count: number;
  at: (index: number) => Pick<TableSummary, "name" | "isView" | "rows" | "hits"> | null;
  /** True if rows also name the columns that were found. */
  tall: boolean;
  /** These are about to be shown. */
  need: (from: number, to: number) => void;
}

/** Where a key leads in the list. */
const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  PageDown: (at, last) => Math.min(last, at + 10),
  PageUp: (at) => Math.max(0, at - 10),
  Home: () => 0,
  End: (_, last) => last,
};

/** The tables that were found. Only those in view are drawn: a database may have tens of thousands. */
export function TableList({
  listed,
  current,
  at,
  onChoose,
}: {
  listed: ListedTable;
  /** The chosen table. */
  current: string | null;
  /** Its position in the list; -1 if unknown. */
  at: number;
  onChoose: (index: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // One height for all rows: nothing has to be measured anew with each search.
  const height = listed.tall ? TALL : ROW;
  const virtual = useVirtualizer({
    count: listed.count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 8,
    initialRect: { width: 280, height: 600 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are as high as that
  useEffect(() => virtual.measure(), [height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen table comes into view with each search
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [listed, at]);
  const items = virtual.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => listed.need(from, to), [listed, from, to]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || listed.count === 0) return;
    event.preventDefault();
    const next = step(Math.max(0, at), listed.count - 1);
    onChoose(next);
    virtual.scrollToIndex(next);
    // It may have to be drawn first.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  };
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
      <ul aria-label={t`Tables`} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const table = listed.at(item.index);
          const chosen = table !== null && table.name === current;
          return (
            <li
              key={item.key}
              className="absolute inset-x-0"
              style={{ top: 0, height: item.size, transform: `translateY(${item.start}px)` }}
            >
              <button
                type="button"
                data-index={item.index}
                aria-current={chosen}
                aria-label={table ? undefined : "Loading"}
                tabIndex={item.index === Math.max(0, at) ? 0 : -1}
                onClick={() => onChoose(item.index)}
                onKeyDown={onKeyDown}
                className={cx(
                  "flex h-full w-full items-center gap-2 rounded-md px-2 text-left outline-offset-[-2px]",
                  chosen ? "bg-active" : "hover:bg-hover",
                )}
              >
                {table === null ? <Skeleton className="h-4 w-full" /> : <Row table={table} />}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** As many letters stay at the end of a long name: names of a kind differ there. */
const END = 8;
const LONG = 14;

/** The name of a table; a long one is shortened in its middle. */
function TableLabel({ name }: { name: string }) {
  if (name.length <= LONG)
    return (
      <span className="block truncate" title={name}>
        {name}
      </span>
    );
  return (
    <span title={name}>
      <span className="sr-only">{name}</span>
      <span aria-hidden className="flex">
        <span className="truncate">{name.slice(0, -END)}</span>
        <span className="shrink-0 whitespace-pre">{name.slice(-END)}</span>
      </span>
    </span>
  );
}

function Row({ table: { name, isView, rows, hits } }: { table: NonNullable<ReturnType<ListedTable["at"]>> }) {
  return (
    <>
      {isView ? (
        <Eye size={14} className="shrink-0 text-fg-3" aria-label="View" />
      ) : (
        <Table2 size={14} className="shrink-0 text-fg-3" aria-hidden />
      )}
      <span className="min-w-0 flex-1">
        <TableLabel name={name} />
        {hits.length > 0 && <span className="block truncate text-fg-3 text-xs">{hits.slice(0, 4).join(", ")}</span>}
      </span>
      {rows !== null && <span className="nums shrink-0 text-fg-3 text-xs">{compact(rows)}</span>}
    </>
  );
}
