import { ContextMenu } from "@base-ui/react/context-menu";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Copy, Funnel, Maximize2, Rows3, Waypoints } from "lucide-react";
import type { ReactElement } from "react";
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
                  <Trans>Show source rows of this value</Trans>
                </MenuItem>
                <MenuItem icon={<Rows3 size={14} />} onSelect={() => onWhy(true)}>
                  <Trans>Show source rows of this row</Trans>
                </MenuItem>
                <MenuLine />
              </>
            )}
            <MenuItem icon={<Maximize2 size={14} />} note={<Keys command="openValue" />} onSelect={onOpen}>
              <Trans>Show whole value</Trans>
            </MenuItem>
            <MenuItem icon={<Rows3 size={14} />} note={<Keys command="openRow" />} onSelect={onRow}>
              <Trans>Show whole row</Trans>
            </MenuItem>
            <MenuItem icon={<Funnel size={14} />} disabled={!onOnly} onSelect={() => onOnly?.()}>
              <Trans>Only rows with this value</Trans>
            </MenuItem>
            <MenuLine />
            <MenuItem icon={<Copy size={14} />} note={<Keys command="copy" />} onSelect={onCopy}>
              <Trans>Copy</Trans>
            </MenuItem>
            {COPY_FORMATS.filter(({ format }) => format !== "tsv").map(({ format, label }) => (
              <MenuItem key={format} icon={<span />} onSelect={() => onCopyAs(format)}>
                <Trans>Copy as {label}</Trans>
              </MenuItem>
            ))}
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

/** The width of the button in a cell. */
export const WHY_WIDTH = 16;

/**
 * A button over the active cell that shows its source rows. It is for the mouse alone: the keys and the menu have the same, and a
 * screen reader would read its name with each cell.
 */
export function WhyButton(props: {
  /** Where the cell begins, and how wide it is, in pixels. */
  at: number;
  width: number;
  /** At the cell's left, where numbers leave room. */
  left: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      title={t`Show source rows (Alt+Enter)`}
      onMouseDown={(e) => e.stopPropagation()}
      onDoubleClick={(e) => e.stopPropagation()}
      onClick={props.onClick}
      className="absolute inset-y-0.5 flex w-5 items-center justify-center rounded-sm bg-accent-soft text-accent hover:bg-accent hover:text-accent-fg"
      style={{ left: props.left ? props.at + 2 : props.at + props.width - 22 }}
    >
      <Waypoints size={12} aria-hidden />
    </button>
  );
}
