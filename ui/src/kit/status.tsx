import { t } from "@lingui/core/macro";
import { Ban, Check, CircleAlert, CircleHelp, LoaderCircle, Minus, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { lazyRecord } from "./lazyRecord";

export type Status = "waiting" | "needsYou" | "running" | "done" | "warning" | "failed" | "skipped" | "cancelled";

interface StatusDisplay {
  colour: string;
  label: string;
  icon: (size: number) => ReactNode;
}

const LOOKS = lazyRecord<Record<Status, StatusDisplay>>({
  waiting: () => ({
    colour: "text-fg-3",
    label: t`Waiting`,
    icon: () => null,
  }),
  needsYou: () => ({
    colour: "text-warn",
    label: t`Waiting for your choice`,
    icon: (s) => <CircleHelp size={s} />,
  }),
  running: () => ({
    colour: "text-accent",
    label: t`Running`,
    icon: (s) => <LoaderCircle size={s} className="spin" />,
  }),
  done: () => ({
    colour: "text-good",
    label: t`Done`,
    icon: (s) => <Check size={s} strokeWidth={2.5} />,
  }),
  warning: () => ({
    colour: "text-warn",
    label: t`Done, with a warning`,
    icon: (s) => <TriangleAlert size={s} />,
  }),
  failed: () => ({
    colour: "text-bad",
    label: t`Failed`,
    icon: (s) => <CircleAlert size={s} />,
  }),
  skipped: () => ({
    colour: "text-fg-3",
    label: t`Not needed`,
    icon: (s) => <Minus size={s} />,
  }),
  cancelled: () => ({
    colour: "text-fg-3",
    label: t`Stopped`,
    icon: (s) => <Ban size={s} />,
  }),
});

export function statusLabel(status: Status): string {
  return LOOKS[status].label;
}

/** A status as an icon; its label is read aloud. */
export function StatusIcon({ status, size = 15 }: { status: Status; size?: number }) {
  const look = LOOKS[status];
  return (
    <span
      role="img"
      aria-label={look.label}
      className={cx("inline-flex shrink-0 items-center justify-center", look.colour)}
      style={{ width: size, height: size }}
    >
      {look.icon(size) ?? <span className="size-1.5 rounded-full bg-line-strong" />}
    </span>
  );
}

const DOTS: Record<Status, string> = {
  waiting: "bg-line-strong",
  needsYou: "bg-warn ring-3 ring-warn/25",
  running: "bg-accent pulse",
  done: "bg-good",
  warning: "bg-warn",
  failed: "bg-bad",
  skipped: "bg-line-strong",
  cancelled: "bg-fg-3",
};

export function StatusDot({ status }: { status: Status }) {
  return (
    <span
      role="img"
      aria-label={LOOKS[status].label}
      className={cx("inline-block size-2 shrink-0 rounded-full", DOTS[status])}
    />
  );
}

export function Spinner({ size = 16 }: { size?: number }) {
  return <LoaderCircle size={size} className="spin text-fg-3" aria-label={t`Loading`} />;
}

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx("shimmer rounded-md", className)} />;
}

/** A placeholder for three lines of text. */
export function LoadingText({ className }: { className?: string }) {
  return (
    <div className={cx("flex flex-col gap-3", className)} aria-busy="true">
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-4 w-2/5" />
    </div>
  );
}

export function Badge({
  tone = "plain",
  children,
}: {
  tone?: "plain" | "accent" | "good" | "warn" | "bad";
  children: ReactNode;
}) {
  const tones = {
    plain: "bg-hover text-fg-2",
    accent: "bg-accent-soft text-accent",
    good: "bg-good-soft text-good",
    warn: "bg-warn-soft text-warn",
    bad: "bg-bad-soft text-bad",
  };
  return (
    <span
      className={cx("inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 font-medium text-xs", tones[tone])}
    >
      {children}
    </span>
  );
}

export function Progress({ value, label }: { value: number | null; label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === null ? undefined : Math.round(value * 100)}
      className="h-1 w-full overflow-hidden rounded-full bg-active"
    >
      <div
        className={cx(
          "h-full rounded-full bg-accent transition-[width] duration-300",
          value === null && "pulse w-1/3",
        )}
        style={value === null ? undefined : { width: `${Math.min(100, value * 100)}%` }}
      />
    </div>
  );
}

/** The empty state of a page. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex h-full flex-col items-center justify-center px-6 py-12 text-center">
      <div className="mb-3 flex size-11 items-center justify-center rounded-xl bg-hover text-fg-3">{icon}</div>
      <div className="font-medium">{title}</div>
      {children && <div className="mt-1 max-w-90 text-fg-3 text-sm">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
