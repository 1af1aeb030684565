import { Dialog as Base } from "@base-ui/react/dialog";
import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { cx } from "./cx";

/** A modal dialog: Escape closes it, focus goes back to where it was. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  width = "w-130",
  still,
  initialFocus,
  finalFocus,
}: {
  open: boolean;
  /** Called when the user closes it; `escape` is true for the Escape key. */
  onClose: (byEscape: boolean) => void;
  title: string;
  description?: string;
  children: ReactNode;
  footer?: ReactNode;
  width?: string;
  /** Read-only content: the focus goes to the dialog itself. */
  still?: boolean;
  /** The initial focus, if it is not the first field. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Target of the focus on closing; by default the element that had it before. */
  finalFocus?: RefObject<HTMLElement | null>;
}) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next, { reason }) => !next && onClose(reason === "escape-key")}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-(--scrim) transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          ref={popup}
          data-modal
          // At once, and not with the next frame as the library does: what is typed right away belongs into the first field.
          initialFocus={() => {
            const inside = popup.current?.contains(document.activeElement);
            const target = still ? popup.current : (initialFocus?.current ?? firstField(popup.current));
            if (!inside) target?.focus({ preventScroll: target === popup.current });
            return false;
          }}
          finalFocus={finalFocus}
          className={cx(
            "pop-in fixed top-1/2 left-1/2 z-40 flex max-h-[88vh] max-w-[94vw] -translate-x-1/2 -translate-y-1/2 flex-col",
            "rounded-xl border border-line bg-raised shadow-pop outline-none",
            width,
          )}
        >
          <div className="flex items-start justify-between gap-4 pt-4 pr-12 pb-2 pl-5">
            <div>
              <Base.Title className="font-semibold text-lg">{title}</Base.Title>
              {description && <Base.Description className="mt-0.5 text-fg-3 text-sm">{description}</Base.Description>}
            </div>
          </div>
          {/* What is only read has no field: the arrow keys scroll it. */}
          <div
            tabIndex={still ? 0 : undefined}
            className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5 outline-offset-[-2px]"
          >
            {children}
          </div>
          {footer && (
            <div className="flex items-center justify-end gap-2 border-line border-t px-5 py-3">{footer}</div>
          )}
          {/* Last in the document, so that the first field gets the focus. */}
          <Base.Close
            aria-label={t`Close`}
            className="absolute top-3.5 right-3.5 flex size-7 items-center justify-center rounded-md text-fg-3 hover:bg-hover hover:text-fg"
          >
            <X size={16} />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

const TABBABLE = "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable='true']";

/** The first place inside where the Tab key stops, else the dialog itself. */
function firstField(popup: HTMLElement | null): HTMLElement | null {
  const stops = [...(popup?.querySelectorAll<HTMLElement>(TABBABLE) ?? [])];
  return stops.find((stop) => stop.tabIndex >= 0 && !stop.matches(":disabled, [hidden], [hidden] *")) ?? popup;
}
