import { Trans } from "@lingui/react/macro";
import type { Environment, EnvironmentColor } from "../host/bindings";
import { cx } from "../kit/cx";

export const ENVIRONMENT_COLORS: EnvironmentColor[] = ["green", "amber", "red", "blue", "violet", "gray"];

const SOFT: Record<EnvironmentColor, string> = {
  green: "bg-good-soft text-good",
  amber: "bg-warn-soft text-warn",
  red: "bg-bad-soft text-bad",
  blue: "bg-blue-soft text-blue",
  violet: "bg-violet-soft text-violet",
  gray: "bg-hover text-fg-2",
};

const DOTS: Record<EnvironmentColor, string> = {
  green: "bg-good",
  amber: "bg-warn",
  red: "bg-bad",
  blue: "bg-blue",
  violet: "bg-violet",
  gray: "bg-fg-3",
};

/** The environment of a connection, as a coloured name. */
export function EnvironmentBadge({ environment }: { environment: Environment | null | undefined }) {
  if (!environment) return null;
  return (
    <span
      className={cx(
        "inline-flex h-5 max-w-40 shrink-0 items-center rounded-full px-2 font-medium text-xs",
        SOFT[environment.color],
      )}
    >
      <span className="sr-only">
        <Trans>Environment:</Trans>{" "}
      </span>
      <span className="truncate">{environment.name}</span>
    </span>
  );
}

/** The colour alone, beside a name. */
export function EnvironmentDot({ color, className }: { color: EnvironmentColor; className?: string }) {
  return <span aria-hidden className={cx("inline-block size-2 shrink-0 rounded-full", DOTS[color], className)} />;
}
