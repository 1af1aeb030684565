import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CircleAlert, CircleSlash } from "lucide-react";
import type { ReactNode } from "react";
import type { AppError } from "../host/bindings";
import { Button } from "./button";
import { cx } from "./cx";
import { Disclosure } from "./disclosure";

/** Shows an error to the user: what happened, what to do next, details on demand. `again` retries. */
export function ErrorNote({
  error,
  action,
  again,
  compact,
}: {
  error: AppError;
  action?: ReactNode;
  again?: () => void;
  compact?: boolean;
}) {
  const stopped = error.code === "cancelled";
  const cause = causeOf(error);
  return (
    <div
      role="alert"
      className={cx(
        "flex gap-3 rounded-lg border",
        compact ? "px-3 py-2.5" : "px-4 py-3.5",
        stopped ? "border-line bg-sunk" : "border-bad/25 bg-bad-soft",
      )}
    >
      <span className={cx("mt-0.5 shrink-0", stopped ? "text-fg-3" : "text-bad")}>
        {stopped ? <CircleSlash size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
      </span>
      <div className="min-w-0 flex-1">
        <div className="wrap-anywhere font-medium">{error.message}</div>
        {cause && <div className="wrap-anywhere mt-0.5 text-fg-2">{cause}</div>}
        {error.hint && <div className="wrap-anywhere mt-0.5 text-fg-2">{error.hint}</div>}
        {(again || action) && (
          <div className="mt-3 flex flex-wrap gap-2">
            {again && (
              <Button size={compact ? "sm" : undefined} onClick={again}>
                <Trans>Try again</Trans>
              </Button>
            )}
            {action}
          </div>
        )}
        {error.detail && error.detail.trim() !== cause && (
          <Disclosure title={t`Details`} className="mt-2">
            <pre className="wrap-anywhere max-h-60 overflow-auto whitespace-pre-wrap rounded-md bg-bg/60 p-2 font-mono text-fg-2 text-xs">
              {error.detail}
            </pre>
          </Disclosure>
        )}
      </div>
    </div>
  );
}

/** Letters of the longest line of a database that is shown without asking. */
const CAUSE = 200;

/** The database's own message comes first: "could not be run" alone does not help. */
function causeOf(error: AppError): string | null {
  const line = error.code === "query" ? error.detail?.split("\n", 1)[0]?.trim() : undefined;
  return line && line.length <= CAUSE && !error.message.includes(line) ? line : null;
}
