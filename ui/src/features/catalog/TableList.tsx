import { t } from "@lingui/core/macro";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Eye, Table2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import type { Profile, Table } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { compact } from "../../kit/format";
import { type Found, tableLabel, tableProfile } from "./search";

const ROW = 32;
/** With the columns that the search found. */
const TALL = 50;

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
  found,
  current,
  profile,
  onChoose,
}: {
  found: Found[];
  current: Table | null;
  profile: Profile | null;
  onChoose: (table: Table) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // One height for all rows: nothing has to be measured anew with each search.
  const height = useMemo(() => (found.some(({ columns }) => columns.length > 0) ? TALL : ROW), [found]);
  const virtual = useVirtualizer({
    count: found.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 8,
    initialRect: { width: 280, height: 600 },
  });
  const at = useMemo(() => (current ? found.findIndex((f) => f.table === current) : -1), [found, current]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are as high as that
  useEffect(() => virtual.measure(), [height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen table comes into view with each search
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [found, at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || found.length === 0) return;
    event.preventDefault();
    const next = step(Math.max(0, at), found.length - 1);
    onChoose(found[next]!.table);
    virtual.scrollToIndex(next);
    // It may have to be drawn first.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  };
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
      <ul aria-label={t`Tables`} className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const { table, columns } = found[item.index]!;
          const label = tableLabel(table.name);
          const rows = table.rowCount ?? tableProfile(profile, table.name)?.rowCount ?? null;
          return (
            <li
              key={item.key}
              className="absolute inset-x-0"
              style={{ top: 0, height: item.size, transform: `translateY(${item.start}px)` }}
            >
              <button
                type="button"
                data-index={item.index}
                aria-current={table === current}
                tabIndex={item.index === Math.max(0, at) ? 0 : -1}
                onClick={() => onChoose(table)}
                onKeyDown={onKeyDown}
                className={cx(
                  "flex h-full w-full items-center gap-2 rounded-md px-2 text-left outline-offset-[-2px]",
                  table === current ? "bg-active" : "hover:bg-hover",
                )}
              >
                {table.kind === "view" ? (
                  <Eye size={14} className="shrink-0 text-fg-3" aria-label={t`View`} />
                ) : (
                  <Table2 size={14} className="shrink-0 text-fg-3" aria-hidden />
                )}
                <span className="min-w-0 flex-1">
                  <span className="block truncate" title={label}>
                    {label}
                  </span>
                  {columns.length > 0 && (
                    <span className="block truncate text-fg-3 text-xs">{columns.slice(0, 4).join(", ")}</span>
                  )}
                </span>
                {rows !== null && <span className="nums shrink-0 text-fg-3 text-xs">{compact(rows)}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
