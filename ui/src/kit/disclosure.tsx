import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cx } from "./cx";

/** A heading that opens and closes what is under it. Closed content is not in the document. */
export function Disclosure({
  title,
  note,
  children,
  open: initially = false,
  className,
}: {
  title: ReactNode;
  note?: ReactNode;
  children: ReactNode;
  open?: boolean;
  className?: string;
}) {
  const [open, setOpen] = useState(initially);
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ml-1 flex w-full items-center gap-1 rounded-sm py-0.5 pr-1 text-left text-fg-2 text-sm hover:text-fg"
      >
        <ChevronRight
          size={14}
          className={cx("shrink-0 text-fg-3 transition-transform", open && "rotate-90")}
          aria-hidden
        />
        <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
        {note && <span className="nums shrink-0 text-fg-3 text-xs">{note}</span>}
      </button>
      {open && <div className="mt-1.5">{children}</div>}
    </div>
  );
}
