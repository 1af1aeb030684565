import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cx } from "./cx";

/** A heading that expands and collapses its content. Collapsed content is not rendered. */
export function Disclosure({
  title,
  note,
  children,
  open: initially = false,
  wrap,
  className,
}: {
  title: ReactNode;
  note?: ReactNode;
  children: ReactNode;
  open?: boolean;
  /** Wraps a long title instead of truncating it. */
  wrap?: boolean;
  className?: string;
}) {
  const [open, setOpen] = useState(initially);
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={cx(
          "-mx-1 flex w-[calc(100%+0.5rem)] gap-1 rounded-sm py-0.5 pr-1 text-left text-fg-2 text-sm hover:text-fg",
          wrap ? "items-start" : "items-center",
        )}
      >
        <ChevronRight
          size={14}
          className={cx("shrink-0 text-fg-3 transition-transform", wrap && "mt-0.5", open && "rotate-90")}
          aria-hidden
        />
        <span className={cx("min-w-0 flex-1 font-medium", !wrap && "truncate")}>{title}</span>
        {note && <span className={cx("nums shrink-0 text-fg-3 text-xs", wrap && "leading-4.5")}>{note}</span>}
      </button>
      {open && <div className="mt-1.5">{children}</div>}
    </div>
  );
}
