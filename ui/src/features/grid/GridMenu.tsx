import { ContextMenu } from "@base-ui/react/context-menu";
import { Copy, Rows3, Waypoints } from "lucide-react";
import type { ReactElement } from "react";
import { cx } from "../../kit/cx";
import { Keys } from "../../kit/keys";
import { MenuItem, MenuLine, POPUP } from "../../kit/menu";

/** What can be asked of the selected cell; opens where the grid is right-clicked, and with the menu key. */
export function GridMenu({
  onWhy,
  onCopy,
  children,
}: {
  /** Asks where the cell, or its whole row, comes from. */
  onWhy: (row: boolean) => void;
  onCopy: () => void;
  children: ReactElement;
}) {
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger className="contents">{children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Positioner className="z-50">
          <ContextMenu.Popup className={POPUP}>
            <MenuItem icon={<Waypoints size={14} />} note={<Keys keys="Alt+enter" />} onSelect={() => onWhy(false)}>
              Show source rows of this value
            </MenuItem>
            <MenuItem icon={<Rows3 size={14} />} onSelect={() => onWhy(true)}>
              Show source rows of this row
            </MenuItem>
            <MenuLine />
            <MenuItem icon={<Copy size={14} />} note={<Keys keys="mod+c" />} onSelect={onCopy}>
              Copy
            </MenuItem>
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

/** What the button below takes of a cell. */
export const WHY_WIDTH = 16;

/** At the cell that the keyboard is at: a way to ask where it comes from. */
export function WhyButton({ left, onClick }: { left: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label="Show source rows"
      title="Show source rows (Alt+Enter)"
      onMouseDown={(e) => e.stopPropagation()}
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
