import { plural, t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";
import type { FoundName } from "../../host/bindings";
import { cx } from "../../kit/cx";

/** "column of orders and 3 more tables" */
export function whatItIs({ kind, name, table, more }: FoundName): string {
  if (kind === "table") return table === name ? t`table` : t`table ${table}`;
  return more > 0
    ? plural(more, { one: `column of ${table} and # more table`, other: `column of ${table} and # more tables` })
    : t`column of ${table}`;
}

/** Tables and columns to pick from while a name is written, over what is around it. The focus stays in the question. */
export function MentionList({
  id,
  names,
  at,
  above,
  onPick,
}: {
  id: string;
  names: FoundName[];
  /** The one that Enter takes. */
  at: number;
  above?: boolean;
  onPick: (name: FoundName) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <>
      <p role="status" className="sr-only">
        {names.length === 0
          ? t`No matching table or column.`
          : t`${plural(names.length, { one: "# suggestion", other: "# suggestions" })}.`}
      </p>
      {names.length > 0 && (
        <div
          ref={list}
          id={id}
          role="listbox"
          aria-label={t`Tables and columns`}
          className={cx(
            "absolute inset-x-2 z-30 max-h-56 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop",
            above ? "bottom-full mb-1" : "top-full",
          )}
        >
          {names.map((found, index) => (
            // The question keeps the focus and handles the keys.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={`${found.kind} ${found.table} ${found.name}`}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              data-at={index}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(found)}
              className={cx(
                "flex items-baseline gap-3 rounded-md px-2 py-1 hover:bg-hover",
                index === at && "bg-accent-soft",
              )}
            >
              <span className="min-w-0 truncate">{found.name}</span>
              <span className="min-w-0 truncate text-fg-2 text-sm">{whatItIs(found)}</span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
