import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { KeyRound, Link2 } from "lucide-react";
import type { TableName } from "../../host/bindings";
import { cx } from "../../kit/cx";
import type { KeySign } from "./columnKeys";
import { tableLabel } from "./search";

/** The keys of a column: solid where the database declares them, dashed where they are inferred. */
export function KeySigns({ signs, onOpen }: { signs: KeySign[]; onOpen: (table: TableName) => void }) {
  return (
    <>
      {signs.map((sign, i) => (
        <Sign key={i} sign={sign} onOpen={onOpen} />
      ))}
    </>
  );
}

function Sign({ sign: { target, evidence }, onOpen }: { sign: KeySign; onOpen: (table: TableName) => void }) {
  const look = cx(
    "inline-flex h-5 max-w-full min-w-0 items-center gap-1 rounded-full border px-1.5 text-fg-2 text-xs",
    evidence === null ? "border-line-strong" : "border-edge border-dashed",
  );
  const inferred = evidence !== null && (
    <span className="shrink-0 text-fg-3">
      <Trans>inferred</Trans>
    </span>
  );
  if (!target) {
    return (
      <span className={look} title={evidence ?? t`Declared by the database`}>
        <KeyRound size={11} className="shrink-0 text-warn" aria-hidden />
        <span className="truncate">
          <Trans>primary key</Trans>
        </span>
        {inferred}
      </span>
    );
  }
  const label = tableLabel(target);
  return (
    <button
      type="button"
      className={cx(look, "hover:bg-hover hover:text-fg")}
      title={evidence ?? t`References ${label}, declared by the database`}
      aria-label={evidence === null ? t`References ${label}` : t`References ${label}, inferred`}
      onClick={() => onOpen(target)}
    >
      <Link2 size={11} className="shrink-0 text-fg-3" aria-hidden />
      <span className="truncate">{target.name}</span> {inferred}
    </button>
  );
}
