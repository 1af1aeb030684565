import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useApproval } from "../domain/approval";
import { ApprovalText } from "../domain/approvalText";
import { Button } from "../kit/button";
import { Dialog } from "../kit/dialog";

/** Asks whether a query of the editor, a saved question or an export may run. */
export function ApprovalDialog() {
  const asked = useApproval((s) => s.asked);
  if (!asked) return null;
  return (
    <Dialog
      open
      onClose={() => asked.answer(false)}
      title={t`Approve this query?`}
      description={t`This connection only runs approved SQL. Your approval applies to exactly this text.`}
      width="w-180"
      still
      footer={
        <>
          <Button onClick={() => asked.answer(false)}>
            <Trans>Don't run</Trans>
          </Button>
          <Button variant="primary" onClick={() => asked.answer(true)}>
            <Trans>Approve and run</Trans>
          </Button>
        </>
      }
    >
      <ApprovalText sql={asked.approval.sql} sha256={asked.approval.sqlSha256} dialect={null} />
    </Dialog>
  );
}
