import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useCallback, useEffect, useState } from "react";
import { ApprovalText } from "../../domain/approvalText";
import type { AppError, AuditRow } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Disclosure } from "../../kit/disclosure";
import { ErrorNote } from "../../kit/error";
import { focusNeighbour } from "../../kit/focusNeighbour";
import { calendarDay, timeOfDay } from "../../kit/format";
import { toast, toastError } from "../../kit/toast";
import { useConnections } from "./state";

/** Approvals shown at a time. */
const MOST = 20;

/** The queries that may run on a connection which runs no other, each with who approved it; taken back with a button. */
export function ApprovalsPart({ uri, required }: { uri: string; required: boolean }) {
  const [rows, setRows] = useState<AuditRow[] | null>(null);
  const [failed, setFailed] = useState<AppError | null>(null);
  const [all, setAll] = useState(false);
  const dialect = useConnections((s) => (s.current?.uri === uri ? s.current.dialect : null));
  const load = useCallback(async () => {
    try {
      setRows(await host().approvals(uri));
      setFailed(null);
    } catch (thrown) {
      setFailed(toAppError(thrown));
    }
  }, [uri]);
  useEffect(() => void load(), [load]);
  const takeBack = async ({ sql, sqlSha256 }: AuditRow) => {
    try {
      await host().revokeApproval(uri, sqlSha256);
    } catch (thrown) {
      toastError(toAppError(thrown));
      return;
    }
    await load();
    const again = async () => {
      try {
        await host().approveSql(uri, sql, sqlSha256);
      } catch (thrown) {
        toastError(toAppError(thrown));
      }
      await load();
    };
    toast({ title: t`Approval revoked`, actions: [{ label: t`Undo`, run: () => void again() }] });
  };
  if (!required && !rows?.length && !failed) return null;
  const shown = all ? rows : rows?.slice(0, MOST);
  return (
    <section aria-label={t`Approved queries`}>
      <h2 className="font-medium text-fg-2">
        <Trans>Approved queries</Trans>
      </h2>
      <p className="mb-2 text-fg-3 text-sm">
        {required
          ? t`This connection only runs these queries. Each was approved exactly as written.`
          : t`Unapproved queries also run here. These approvals apply once the connection requires approval.`}
      </p>
      {failed && <ErrorNote error={failed} compact />}
      {rows?.length === 0 && (
        <p className="text-fg-3">
          <Trans>None yet. A query that needs approval is shown before it runs.</Trans>
        </p>
      )}
      {shown && shown.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {shown.map((row) => (
            <li key={row.sqlSha256} className="flex items-start gap-3 px-3 py-2">
              <Disclosure
                className="min-w-0 flex-1"
                title={<span className="font-mono text-xs">{row.sql.replace(/\s+/g, " ")}</span>}
                note={[`${calendarDay(row.at)}, ${timeOfDay(row.at)}`, row.decidedBy && t`by ${row.decidedBy}`]
                  .filter(Boolean)
                  .join(", ")}
              >
                <ApprovalText sql={row.sql} sha256={row.sqlSha256} dialect={dialect} />
              </Disclosure>
              <Button
                size="sm"
                variant="quiet"
                data-removes
                onClick={(event) => {
                  focusNeighbour(event.currentTarget);
                  void takeBack(row);
                }}
              >
                <Trans>Revoke</Trans>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {rows && shown && rows.length > shown.length && (
        <Button size="sm" variant="quiet" className="mt-1" onClick={() => setAll(true)}>
          <Trans>
            Show all <Plural value={rows.length} one="# approval" other="# approvals" />
          </Trans>
        </Button>
      )}
    </section>
  );
}
