import { Trans } from "@lingui/react/macro";
import { ApprovalText } from "../domain/approvalText";
import type { AskedApproval } from "../features/graph/model/model";
import { decideQuery } from "../features/runs/state";
import type { Dialect } from "../host/bindings";
import { Button } from "../kit/button";
import { useFocusAfterRemoval } from "../kit/focusNeighbour";

/** A query that the run waits with until the user has approved it. */
export function ApproveQuery({
  runId,
  asked,
  dialect,
}: {
  runId: string;
  asked: AskedApproval;
  dialect: Dialect | null;
}) {
  const decide = (approved: boolean) => void decideQuery(runId, asked.sqlSha256, approved);
  return (
    <section ref={useFocusAfterRemoval<HTMLElement>()} aria-labelledby="approve" className="mb-7">
      <div role="status">
        <h2 id="approve" className="font-semibold text-lg">
          <Trans>Approve this query?</Trans>
        </h2>
        <p className="mt-0.5 mb-3 text-fg-2">
          <Trans>
            This connection only runs approved SQL. Your approval applies to exactly this text. Methods that compare
            several queries ask for each one; the method “Fast” asks once.
          </Trans>
        </p>
      </div>
      <ApprovalText sql={asked.sql} sha256={asked.sqlSha256} dialect={dialect} />
      <div className="mt-3 flex gap-2">
        <Button variant="primary" onClick={() => decide(true)}>
          <Trans>Approve and run</Trans>
        </Button>
        <Button onClick={() => decide(false)}>
          <Trans>Refuse and stop</Trans>
        </Button>
      </div>
    </section>
  );
}
