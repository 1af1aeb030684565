import { ContextMenu } from "@base-ui/react/context-menu";
import { Copy, Funnel, Maximize2, Rows3, Waypoints } from "lucide-react";
import type { ReactElement } from "react";
import { cx } from "../../kit/cx";
import { Keys } from "../../kit/keys";
import { MenuItem, MenuLine, POPUP } from "../../kit/menu";
import { COPY_FORMATS, type CopyFormat } from "./copy";

/** The context menu of the selected cells. */
export function GridMenu({
  onWhy,
  onCopy,
  onCopyAs,
  onOpen,
  onRow,
  onOnly,
  children,
}: {
  /** Shows the source rows of the cell, or of its whole row. */
  onWhy?: (row: boolean) => void;
  onCopy: () => void;
  onCopyAs: (format: CopyFormat) => void;
  /** Shows the whole value. */
  onOpen: () => void;
  /** Shows the whole row. */
  onRow: () => void;
  /** Keeps only rows with the value; null where rows cannot be filtered. */
  onOnly: (() => void) | null;
  children: ReactElement;
}) {
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger className="contents">{children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Positioner className="z-50">
          <ContextMenu.Popup className={POPUP}>
            {onWhy && (
              <>
                <MenuItem
                  icon={<Waypoints size={14} />}
                  note={<Keys command="sourceRows" />}
                  onSelect={() => onWhy(false)}
                >
                  Show source rows of this value
                </MenuItem>
                <MenuItem icon={<Rows3 size={14} />} onSelect={() => onWhy(true)}>
                  Show source rows of this row
                </MenuItem>
                <MenuLine />
              </>
            )}
            <MenuItem icon={<Maximize2 size={14} />} note={<Keys command="openValue" />} onSelect={onOpen}>
              Show whole value
            </MenuItem>
            <MenuItem icon={<Rows3 size={14} />} note={<Keys command="openRow" />} onSelect={onRow}>
              Show whole row
            </MenuItem>
            <MenuItem icon={<Funnel size={14} />} disabled={!onOnly} onSelect={() => onOnly?.()}>
              Only rows with this value
            </MenuItem>
            <MenuLine />
            <MenuItem icon={<Copy size={14} />} note={<Keys command="copy" />} onSelect={onCopy}>
              Copy
            </MenuItem>
            {COPY_FORMATS.filter(({ format }) => format !== "tsv").map(({ format, label }) => (
              <MenuItem key={format} icon={<span />} onSelect={() => onCopyAs(format)}>
                Copy as {label}
              </MenuItem>
            ))}
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

/** Width of the button in a cell. */
export const WHY_WIDTH = 16;

/** A button in the active cell that shows its source rows. */
export function WhyButton({ left, onClick }: { left: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label="Show source rows"
      title="Show source rows (Alt+Enter)"
      onMouseDown={(e) => e.stopPropagation()}
      onDoubleClick={(e) => e.stopPropagation()}
      onClick={onClick}
      className={cx(
        "absolute inset-y-0.5 flex w-5 items-center justify-center rounded-sm bg-accent-soft text-accent hover:bg-accent hover:text-accent-fg",
        left ? "left-0.5" : "right-0.5",
      )}
    >
      <Waypoints size={12} aria-hidden />
    </button>
  );
}
