import { LoaderCircle } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "./cx";
import type { ShortcutId } from "./shortcuts";
import { Hint } from "./tooltip";

type Variant = "primary" | "plain" | "quiet" | "danger";

const VARIANTS: Record<Variant, string> = {
  primary: "bg-accent text-accent-fg hover:bg-accent-hover",
  plain: "bg-raised text-fg border border-line-strong hover:bg-hover shadow-card",
  quiet: "text-fg-2 hover:bg-hover hover:text-fg",
  danger: "bg-raised text-bad border border-line-strong hover:bg-bad-soft shadow-card",
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant;
  size?: "sm" | "md";
  icon?: ReactNode;
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = "plain",
  size = "md",
  icon,
  busy,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled || busy}
      className={cx(
        "inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium",
        "transition-colors disabled:opacity-50 disabled:pointer-events-none",
        size === "sm" ? "h-7 px-2.5 text-sm" : "h-8 px-3",
        VARIANTS[variant],
        className,
      )}
      {...rest}
    >
      {busy ? <LoaderCircle size={14} className="spin" aria-hidden /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
  keys?: string;
  command?: ShortcutId;
  size?: "sm" | "md";
  pressed?: boolean;
}

/** A button that shows only an icon; its label is read aloud and appears as a hint. */
export function IconButton({
  label,
  keys,
  command,
  size = "md",
  pressed,
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Hint label={label} keys={keys} command={command}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        className={cx(
          "inline-flex shrink-0 items-center justify-center rounded-md text-fg-3 transition-colors hover:bg-hover hover:text-fg",
          "disabled:opacity-40 disabled:pointer-events-none",
          size === "sm" ? "size-6" : "size-7.5",
          pressed && "bg-active text-fg",
          className,
        )}
        {...rest}
      >
        {children}
      </button>
    </Hint>
  );
}
