import { t } from "@lingui/core/macro";
import { CircleHelp, Info } from "lucide-react";
import type { ReactNode } from "react";
import type { ExplanationCheck } from "../../host/bindings";

/** Checks of an explanation; `after` adds to each sentence. */
export function Checks({
  checks,
  after,
}: {
  checks: ExplanationCheck[];
  after?: (check: ExplanationCheck) => ReactNode;
}) {
  return (
    <ul className="flex flex-col gap-1">
      {checks.map((check) => (
        <li key={`${check.code}:${check.text}`} className="flex gap-2 text-sm">
          {check.mayChange ? (
            <CircleHelp size={14} className="mt-0.5 shrink-0 text-warn" aria-label={t`Worth checking`} />
          ) : (
            <Info size={14} className="mt-0.5 shrink-0 text-fg-3" aria-hidden />
          )}
          <span className={check.mayChange ? "wrap-anywhere text-fg" : "wrap-anywhere text-fg-2"}>
            {check.text}. {after?.(check)}
          </span>
        </li>
      ))}
    </ul>
  );
}
