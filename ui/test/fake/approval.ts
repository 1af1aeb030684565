// Connections that run only approved SQL: a run that waits, and queries of the editor.

import type { Approval, AuditRow, RunEvent } from "../../src/host/bindings";
import { AppFailure } from "../../src/host/host";
import { directLog } from "./log";

/** Of each text another one, and always the same. */
function hashOf(text: string): string {
  let hash = 7;
  for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) % 0xffffffff;
  return hash.toString(16).padStart(8, "0").repeat(8);
}

/** A run that waits with its query. */
export function approvalLog(runId: string, warehouse: string, startedAt: string): RunEvent[] {
  const events = directLog(runId, warehouse, startedAt);
  const at = events.findIndex(({ body }) => body.type === "queryExecuted");
  const query = events[at]!;
  if (query.body.type !== "queryExecuted") throw new Error("no query");
  const { node, sql } = query.body;
  const sqlSha256 = hashOf(sql);
  const asked = { ...query, body: { type: "approvalAsked" as const, node, sql, sqlSha256 } };
  const decided = {
    ...query,
    body: { type: "approvalDecided" as const, node, sqlSha256, approved: true, waitedMs: 900 },
  };
  return [...events.slice(0, at), asked, decided, ...events.slice(at)].map((event, index) => ({
    ...event,
    seq: index + 1,
  }));
}

/** The approvals of the fake host: texts that say `guarded` need one. */
export function fakeApprovals() {
  const approved = new Set<string>();
  const approval = (sql: string): Approval => ({
    sql: sql.trim(),
    sqlSha256: hashOf(sql.trim()),
    required: /guarded/.test(sql),
    approved: approved.has(sql.trim()),
  });
  return {
    /** Throws where the text needs an approval and has none. */
    check: (sql: string) => {
      const { required, approved: has, sqlSha256 } = approval(sql);
      if (!required || has) return;
      throw new AppFailure({
        code: "notApproved",
        message: "This connection runs only SQL that was approved, and this was not",
        hint: "Approve it where it is shown, or with: vitrine approvals add CONNECTION SQL",
        detail: `${sql}\nSHA-256 ${sqlSha256}`,
      });
    },
    commands: {
      approval: async (_warehouse: string, sql: string) => approval(sql),
      approveSql: async (_warehouse: string, sql: string, sqlSha256: string) => {
        if (approval(sql).sqlSha256 !== sqlSha256) throw new Error("the hash is of another text");
        approved.add(sql);
        return approval(sql);
      },
      approvals: async (warehouse: string): Promise<AuditRow[]> =>
        [...approved].map((sql, index) => ({
          number: index + 1,
          hash: hashOf(`row ${index}`),
          at: "2026-11-03T09:14:00Z",
          warehouse,
          question: null,
          sql,
          sqlSha256: hashOf(sql),
          verdict: "approved",
          reason: null,
          rows: null,
          bytes: null,
          model: null,
          tokens: null,
          runId: null,
          decidedBy: "ann",
        })),
      revokeApproval: async (_warehouse: string, sqlSha256: string) => {
        for (const sql of [...approved]) if (hashOf(sql) === sqlSha256) approved.delete(sql);
      },
    },
  };
}
