import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Check, Search } from "lucide-react";
import type { BestSoFar as Best } from "../features/graph/model/model";
import { keepLooking } from "../features/runs/state";
import { Button } from "../kit/button";
import { Disclosure } from "../kit/disclosure";
import { useFocusAfterRemoval } from "../kit/focusNeighbour";
import { clock, duration, rowsOf } from "../kit/format";
import { MiniTable } from "../kit/miniTable";
import { showOf } from "../kit/show";

/** The best result so far while the run waits for the user's word, or what there was when it was stopped. */
export function BestSoFar({ runId, best, elapsedMs }: { runId: string; best: Best; elapsedMs: number }) {
  const left = best.waitsS * 1000 - (elapsedMs - best.atMs);
  return (
    <section ref={useFocusAfterRemoval<HTMLElement>()} aria-label={t`Best so far`} className="mb-6">
      <h2 className="font-semibold text-lg">
        <Trans>Best result after {duration(Math.round(best.atMs / 1000) * 1000)}</Trans>
      </h2>
      <p className="mb-3 text-fg-2">
        <Trans>{agreementText(best)} Vitrine can keep looking for a better one, or stop here.</Trans>
      </p>
      <Rows best={best} />
      <div className="mt-4 flex items-center gap-2">
        <Button variant="primary" icon={<Check size={14} />} onClick={() => void keepLooking(runId, false)}>
          <Trans>Stop here</Trans>
        </Button>
        <Button icon={<Search size={14} />} onClick={() => void keepLooking(runId, true)}>
          <Trans>Keep looking</Trans>
        </Button>
        <span role="timer" className="nums ml-1 text-fg-3 text-sm">
          <Trans>Stops automatically in {clock(Math.max(0, left))}</Trans>
        </span>
      </div>
    </section>
  );
}

/** The same during the run, or after it was stopped. */
export function BestKept({ best, stopped }: { best: Best; stopped: boolean }) {
  return (
    <Disclosure title={stopped ? t`Best result until then` : t`Best result so far`} open={stopped} className="mb-4">
      <p className="mb-2 pl-4 text-fg-2 text-sm">{agreementText(best)}</p>
      <div className="pl-4">
        <Rows best={best} />
      </div>
    </Disclosure>
  );
}

function Rows({ best: { page } }: { best: Best }) {
  const single = page.rows.length === 1 && page.columns.length === 1;
  if (single) {
    const column = page.columns[0]!;
    const value = page.rows[0]![0] ?? null;
    return (
      <div>
        <div className="text-fg-3 text-sm">{column.name}</div>
        <div className="nums wrap-anywhere font-semibold text-2xl">
          {value === null ? "NULL" : showOf(column)(value)}
        </div>
      </div>
    );
  }
  const shown = Math.min(8, page.rows.length);
  return (
    <>
      <MiniTable page={page} rows={8} readable />
      {page.rowCount > shown && (
        <p className="nums mt-1 text-fg-3 text-xs">
          <Trans>
            First {shown} of {rowsOf(page)}
          </Trans>
        </p>
      )}
    </>
  );
}

function agreementText({ votes, of }: Best): string {
  if (of < 2) return t`One query has run.`;
  return t`${votes} of ${plural(of, { one: "# query", other: "# queries" })} give this result.`;
}
