import type { ReactNode } from "react";

/** A button that reads as part of a sentence. */
export function TextButton({
  pressed,
  onClick,
  children,
}: {
  /** Set if the button toggles something. */
  pressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-expanded={pressed}
      onClick={onClick}
      className="shrink-0 rounded-sm text-accent hover:text-accent-hover hover:underline"
    >
      {children}
    </button>
  );
}
