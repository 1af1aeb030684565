// What each agent does, in words.

import { t } from "@lingui/core/macro";
import type { Agent } from "../host/bindings";
import { lazily } from "./lazily";

export const AGENTS: Record<Agent, { title: string; help: string }> = lazily({
  rewriter: () => ({
    title: t`Understanding the question`,
    help: t`Restates the question as task, columns and conditions.`,
  }),
  linker: () => ({
    title: t`Choosing tables`,
    help: t`Selects relevant tables and columns. Used by DSR-SQL, ReFoRCE and ProSPy.`,
  }),
  explorer: () => ({
    title: t`Checking the data`,
    help: t`Writes probing queries. Used by DSR-SQL and ReFoRCE.`,
  }),
  "view-generator": () => ({
    title: t`Writing views`,
    help: t`Writes views and selects tables. Used by AV-SQL, Auto and ProSPy.`,
  }),
  exemplar: () => ({
    title: t`Writing examples`,
    help: t`Writes example questions with SQL. Used by CHASE-SQL.`,
  }),
  planner: () => ({
    title: t`Planning`,
    help: t`Plans the final query.`,
  }),
  generator: () => ({
    title: t`Writing the SQL`,
    help: t`Writes and repairs the final query.`,
  }),
  judge: () => ({
    title: t`Comparing results`,
    help: t`Compares two results if attempts disagree.`,
  }),
  revisor: () => ({
    title: t`Checking the SQL`,
    help: t`Compares the final query with the question.`,
  }),
  analyst: () => ({
    title: t`Analysing`,
    help: t`Computes the answer from fetched views. Used by ProSPy.`,
  }),
  assessor: () => ({
    title: t`Checking the answer`,
    help: t`Asks again behind the answer, to see how sure it is.`,
  }),
});
