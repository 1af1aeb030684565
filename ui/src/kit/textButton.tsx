import type { MouseEvent, ReactNode } from "react";

/** A button that reads as part of a sentence. */
export function TextButton({
  pressed,
  label,
  disabled,
  onClick,
  children,
}: {
  /** Set if the button toggles something. */
  pressed?: boolean;
  /** The accessible name, if the visible text is not enough. */
  label?: string;
  /** It does nothing now; it keeps the focus, as it may be its own click that left nothing to do. */
  disabled?: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-expanded={pressed}
      aria-label={label}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
      className="shrink-0 rounded-sm text-accent hover:text-accent-hover hover:underline aria-disabled:cursor-default aria-disabled:text-fg-3 aria-disabled:no-underline"
    >
      {children}
    </button>
  );
}
