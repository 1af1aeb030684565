import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { LoaderCircle, Minus, Plus } from "lucide-react";
import { useState } from "react";
import { CertaintyIcon, certaintyLabel } from "../domain/certainty";
import { type Estimate, isOpen, mainReason } from "../features/graph/model/certainty";
import type { CertaintyReason } from "../host/bindings";
import { cx } from "../kit/cx";
import { TextButton } from "../kit/textButton";
import { certaintyInWords, labelBefore, measuredInWords, sideOf } from "./certaintyText";

/** Shows the certainty of the answer with its main reason; all reasons on demand. */
export function CertaintyNote({
  estimate,
  checking,
  onStop,
  roomy,
  className,
}: {
  estimate: Estimate | null;
  /** Work behind the answer may still change it. */
  checking: boolean;
  /** Stops that work: the verdict stays as far as it came. */
  onStop: () => void;
  /** There is room for the reasons of an answer that is worth a check. */
  roomy?: boolean;
  className?: string;
}) {
  const [chosen, setOpen] = useState<boolean | null>(null);
  const [stopping, setStopping] = useState(false);
  if (!estimate) return null;
  const { level, reasons } = estimate;
  const label = certaintyLabel(level);
  // Reasons that all speak for the answer may wait for the check.
  const open = chosen ?? (roomy === true && level !== "sure" && !(checking && isOpen(estimate)));
  const main = open ? undefined : mainReason(estimate);
  const [before, measured] = [labelBefore(estimate), measuredInWords(estimate)];
  return (
    <section aria-label={t`Certainty`} className={cx("shrink-0", roomy && "max-w-190", className)}>
      <div className="flex min-w-0 items-center gap-2">
        <CertaintyIcon level={level} />
        {/* The line below says both to those who hear the page. */}
        <span aria-hidden className="shrink-0 font-medium">
          {label}
        </span>
        {before !== null && (
          <span aria-hidden className="rise shrink-0 rounded-sm bg-active px-1.5 text-fg-2 text-sm">
            <Trans>was “{before}” before the second check</Trans>
          </span>
        )}
        {main && (
          <span className="min-w-0 truncate text-fg-2 text-sm" title={main.text}>
            {main.text}
          </span>
        )}
        <span className="flex shrink-0 items-center gap-3 text-sm">
          {checking && (
            <span className="flex items-center gap-1.5 text-fg-3">
              <LoaderCircle size={12} className="spin" aria-hidden />
              <Trans>checking…</Trans>
              <TextButton
                label={t`Stop checking`}
                disabled={stopping}
                onClick={() => {
                  setStopping(true);
                  onStop();
                }}
              >
                <Trans>Stop</Trans>
              </TextButton>
            </span>
          )}
          {reasons.length > 0 && (
            <TextButton pressed={open} onClick={() => setOpen(!open)}>
              {open ? t`Hide reasons` : t`Why`}
            </TextButton>
          )}
        </span>
      </div>
      <p role="status" className="sr-only">
        {certaintyInWords(estimate, checking)}
      </p>
      {open && (
        <div className="mt-2 pl-6 text-sm">
          <ul className="flex flex-col gap-1">
            {reasons.map((reason) => (
              <Reason key={reason.code + reason.text} reason={reason} />
            ))}
          </ul>
          {measured && <p className="nums mt-2 text-fg-3">{measured}</p>}
        </div>
      )}
    </section>
  );
}

function Reason({ reason }: { reason: CertaintyReason }) {
  const { supports, text } = reason;
  const Icon = supports ? Plus : Minus;
  return (
    <li className="flex items-start gap-2">
      <span
        role="img"
        aria-label={sideOf(reason)}
        className={cx("mt-0.5 shrink-0", supports ? "text-good" : "text-warn")}
      >
        <Icon size={14} strokeWidth={2.5} aria-hidden />
      </span>
      <span className="wrap-anywhere min-w-0 text-fg-2">{text}</span>
    </li>
  );
}
