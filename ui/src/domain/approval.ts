// Approval of SQL by the user, for connections that run no other. One question at a time.

import { create } from "zustand";
import type { Approval } from "../host/bindings";
import { host, toAppError } from "../host/host";

interface ApprovalRequest {
  approval: Approval;
  warehouse: string;
  answer: (approved: boolean) => void;
}

export const useApproval = create<{ asked: ApprovalRequest | null }>(() => ({ asked: null }));

/** Does what runs a query; where the query has to be approved first, asks and does it again. */
export async function withApproval<T>(warehouse: string, sql: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (toAppError(thrown).code !== "notApproved") throw thrown;
    if (!(await askApproval(warehouse, sql))) throw thrown;
    return work();
  }
}

/** Returns whether a query may run: it needs no approval, has one, or gets one now. */
export async function mayRun(warehouse: string, sql: string): Promise<boolean> {
  const { required, approved } = await host().approval(warehouse, sql);
  return !required || approved || askApproval(warehouse, sql);
}

/** Shows the text as it would run, and keeps an approval of exactly that. */
async function askApproval(warehouse: string, sql: string): Promise<boolean> {
  useApproval.getState().asked?.answer(false);
  const approval = await host().approval(warehouse, sql);
  const approved = await new Promise<boolean>((answer) =>
    useApproval.setState({ asked: { approval, warehouse, answer } }),
  );
  useApproval.setState({ asked: null });
  if (approved) await host().approveSql(warehouse, approval.sql, approval.sqlSha256);
  return approved;
}
