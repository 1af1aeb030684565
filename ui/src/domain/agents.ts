// Names and descriptions of agents.

import { t } from "@lingui/core/macro";
import type { Agent } from "../host/bindings";
import { lazyRecord } from "../kit/lazyRecord";

export const AGENTS: Record<Agent, { title: string; help: string }> = lazyRecord({
  rewriter: () => ({
    title: t({ message: "Understanding the question", context: "the work of an agent" }),
    help: t`Restates the question as task, columns and conditions.`,
  }),
  linker: () => ({
    title: t({ message: "Choosing tables", context: "the work of an agent" }),
    help: t`Selects relevant tables and columns. Used by DSR-SQL, ReFoRCE and ProSPy.`,
  }),
  explorer: () => ({
    title: t({ message: "Checking the data", context: "the work of an agent" }),
    help: t`Writes probing queries. Used by DSR-SQL and ReFoRCE.`,
  }),
  "view-generator": () => ({
    title: t({ message: "Preparing the data", context: "the work of an agent" }),
    help: t`Writes views and selects tables. Used by AV-SQL, Auto and ProSPy.`,
  }),
  exemplar: () => ({
    title: t({ message: "Writing examples", context: "the work of an agent" }),
    help: t`Writes example questions with SQL. Used by CHASE-SQL.`,
  }),
  planner: () => ({
    title: t({ message: "Planning", context: "the work of an agent" }),
    help: t`Plans the final query.`,
  }),
  generator: () => ({
    title: t({ message: "Writing the SQL", context: "the work of an agent" }),
    help: t`Writes and repairs the final query.`,
  }),
  judge: () => ({
    title: t({ message: "Comparing results", context: "the work of an agent" }),
    help: t`Compares two results if attempts disagree.`,
  }),
  revisor: () => ({
    title: t({ message: "Checking the SQL", context: "the work of an agent" }),
    help: t`Compares the final query with the question.`,
  }),
  analyst: () => ({
    title: t({ message: "Analysing", context: "the work of an agent" }),
    help: t`Computes the answer from fetched views. Used by ProSPy.`,
  }),
  assessor: () => ({
    title: t({ message: "Checking the answer", context: "the work of an agent" }),
    help: t`Asks again after the answer to check how certain it is.`,
  }),
});
