import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, ChevronDown, Funnel } from "lucide-react";
import type { ReactNode } from "react";
import type { CellType } from "../../host/bindings";
import { isNumeric } from "../../kit/cell";
import { cx } from "../../kit/cx";
import { followPointer } from "../../kit/drag";
import { Menu } from "../../kit/menu";
import { clampWidth } from "./widths";

export interface HeaderProps {
  id: string;
  name: string;
  type: CellType;
  /** Its place among the visible columns. */
  index: number;
  width: number;
  sorted: "up" | "down" | null;
  filtered: boolean;
  /** The user's format, as text. */
  format: string | null;
  /** The summary of its values. */
  glance: string | null;
  /** The keyboard is here. */
  active: boolean;
  menuOpen: boolean;
  /** The items of its menu. */
  menu: () => ReactNode;
  finalFocus: () => HTMLElement | null | false;
  onMenu: (open: boolean) => void;
  onSort: () => void;
  onResize: (width: number) => void;
  onFit: () => void;
}

const ARIA_SORT = { up: "ascending", down: "descending" } as const;

export function HeaderCell({ left, ...header }: HeaderProps & { left: number }) {
  const { name, type, width, sorted, active, menuOpen, format, glance } = header;
  const numeric = isNumeric(type);
  const drag = (event: React.PointerEvent) => {
    event.stopPropagation();
    const start = event.clientX;
    followPointer(event, (at) => header.onResize(clampWidth(width + at.clientX - start)));
  };
  const Arrow = sorted === "up" ? ArrowUp : ArrowDown;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot draw only the columns in view
    // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
    <div
      id={header.id}
      role="columnheader"
      aria-colindex={header.index + 1}
      aria-sort={sorted ? ARIA_SORT[sorted] : "none"}
      aria-description={glance ?? undefined}
      title={[`${name} (${type})`, format, glance].filter(Boolean).join("\n")}
      onClick={(e) => {
        // A click in its menu comes here too, though the menu lies elsewhere.
        if (e.currentTarget.contains(e.target as Node)) header.onSort();
      }}
      onContextMenu={(e) => {
        e.preventDefault();
        e.stopPropagation();
        header.onMenu(true);
      }}
      className={cx(
        "group/head absolute top-0 flex h-full items-center gap-1 bg-sunk px-2.5 font-medium text-fg-2 text-sm hover:text-fg",
        numeric && "flex-row-reverse",
        active && "shadow-[inset_0_0_0_1.5px_var(--accent)]",
      )}
      style={{ left, width }}
    >
      <span className={cx("flex min-w-0 flex-col leading-tight", numeric && "items-end")}>
        <span className="max-w-full truncate">{name}</span>
        {glance && (
          <span aria-hidden className="max-w-full truncate font-normal text-fg-3 text-xs">
            {glance}
          </span>
        )}
      </span>
      {sorted && <Arrow size={12} className="shrink-0 text-accent" aria-hidden />}
      {header.filtered && (
        <>
          <Funnel size={11} className="shrink-0 text-accent" aria-hidden />
          <span className="sr-only">
            <Trans>, filtered</Trans>
          </span>
        </>
      )}
      <Menu
        width="w-60"
        open={menuOpen}
        onOpen={header.onMenu}
        finalFocus={header.finalFocus}
        trigger={
          <button
            type="button"
            tabIndex={-1}
            aria-label={t`Column ${name}`}
            onClick={(e) => e.stopPropagation()}
            className={cx(
              "absolute inset-y-1 flex w-5 items-center justify-center rounded-sm bg-hover text-fg-2 hover:bg-active hover:text-fg",
              numeric ? "left-1" : "right-2",
              !menuOpen && !active && "opacity-0 group-hover/head:opacity-100",
            )}
          >
            <ChevronDown size={13} aria-hidden />
          </button>
        }
      >
        {menuOpen && header.menu()}
      </Menu>
      <div
        aria-hidden
        onPointerDown={drag}
        onClick={(e) => e.stopPropagation()}
        onDoubleClick={header.onFit}
        className="absolute top-1 right-0 bottom-1 w-1.5 cursor-col-resize border-line-strong border-r opacity-60 hover:border-accent hover:opacity-100"
      />
    </div>
  );
}
