import { Menu as Base } from "@base-ui/react/menu";
import { Check, EllipsisVertical } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx";

/** The look of every menu. */
export const POPUP =
  "pop-in max-h-[70vh] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop outline-none";

export function Menu({
  trigger,
  children,
  align = "start",
  width = "min-w-48",
  open,
  onOpen,
  finalFocus,
}: {
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
  width?: string;
  /** Set if something besides the trigger opens it. */
  open?: boolean;
  onOpen?: (open: boolean) => void;
  /** Target of the focus on closing, by default the trigger; false does not move it. */
  finalFocus?: () => HTMLElement | null | false;
}) {
  // A dialog that an item has opened keeps the keys: the menu is gone a moment later.
  const leavesTo = finalFocus && (() => (document.activeElement?.closest("[data-modal]") ? false : finalFocus()));
  return (
    <Base.Root modal={false} open={open} onOpenChange={onOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50">
          <Base.Popup className={cx(POPUP, width)} finalFocus={leavesTo}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Three points that open the further things to do with something, which the label names. `removes` says that one of them takes
 * its entry off a list (`focusNeighbour.ts`).
 */
export function MoreMenu({
  label,
  children,
  width,
  removes = false,
  finalFocus,
  className,
}: {
  label: string;
  children: ReactNode;
  width?: string;
  removes?: boolean;
  finalFocus?: () => HTMLElement | null | false;
  className?: string;
}) {
  return (
    <Menu
      align="end"
      width={width}
      finalFocus={finalFocus}
      trigger={
        <button
          type="button"
          data-removes={removes || undefined}
          aria-label={label}
          className={cx(
            "flex size-7 shrink-0 items-center justify-center rounded-md text-fg-3 hover:text-fg",
            removes ? "hover:bg-active" : "hover:bg-hover data-popup-open:bg-hover",
            className,
          )}
        >
          <EllipsisVertical size={15} />
        </button>
      }
    >
      {children}
    </Menu>
  );
}

export function MenuItem({
  icon,
  children,
  onSelect,
  danger,
  disabled,
  note,
}: {
  icon?: ReactNode;
  children: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  note?: ReactNode;
}) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={disabled}
      className={cx(
        "flex items-center gap-2 rounded-md px-2 py-1.5 outline-none data-highlighted:bg-hover data-disabled:opacity-45",
        danger && "text-bad",
      )}
    >
      {icon && <span className={cx("flex w-4 shrink-0 justify-center", !danger && "text-fg-3")}>{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {note && <span className="shrink-0 text-fg-3 text-xs">{note}</span>}
    </Base.Item>
  );
}

/** An item that is on or off. */
export function MenuSwitch({
  children,
  checked,
  onChange,
}: {
  children: ReactNode;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <Base.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      className="flex items-center gap-2 rounded-md px-2 py-1.5 outline-none data-highlighted:bg-hover"
    >
      <span className="flex w-4 shrink-0 justify-center">
        <Base.CheckboxItemIndicator>
          <Check size={14} className="text-accent" />
        </Base.CheckboxItemIndicator>
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Base.CheckboxItem>
  );
}

export function MenuLine() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2 pt-1.5 pb-1 font-medium text-fg-3 text-xs">{children}</div>;
}
