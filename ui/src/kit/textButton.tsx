import type { MouseEvent, ReactNode } from "react";

/** A button that reads as part of a sentence. */
export function TextButton({
  pressed,
  label,
  onClick,
  children,
}: {
  /** Set if the button toggles something. */
  pressed?: boolean;
  /** What is read aloud, where the words alone do not say it. */
  label?: string;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-expanded={pressed}
      aria-label={label}
      onClick={onClick}
      className="shrink-0 rounded-sm text-accent hover:text-accent-hover hover:underline"
    >
      {children}
    </button>
  );
}
