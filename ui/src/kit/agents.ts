// What each agent does, in words.

import { t } from "@lingui/core/macro";
import type { Agent } from "../host/bindings";

export const AGENTS: Record<Agent, { title: string; help: string }> = {
  rewriter: {
    get title() {
      return t`Understanding the question`;
    },
    get help() {
      return t`Restates the question as task, columns and conditions.`;
    },
  },
  linker: {
    get title() {
      return t`Choosing tables`;
    },
    get help() {
      return t`Selects relevant tables and columns. Used by DSR-SQL, ReFoRCE and ProSPy.`;
    },
  },
  explorer: {
    get title() {
      return t`Checking the data`;
    },
    get help() {
      return t`Writes probing queries. Used by DSR-SQL and ReFoRCE.`;
    },
  },
  "view-generator": {
    get title() {
      return t`Writing views`;
    },
    get help() {
      return t`Writes views and selects tables. Used by AV-SQL, Auto and ProSPy.`;
    },
  },
  exemplar: {
    get title() {
      return t`Writing examples`;
    },
    get help() {
      return t`Writes example questions with SQL. Used by CHASE-SQL.`;
    },
  },
  planner: {
    get title() {
      return t`Planning`;
    },
    get help() {
      return t`Plans the final query.`;
    },
  },
  generator: {
    get title() {
      return t`Writing the SQL`;
    },
    get help() {
      return t`Writes and repairs the final query.`;
    },
  },
  judge: {
    get title() {
      return t`Comparing results`;
    },
    get help() {
      return t`Compares two results if attempts disagree.`;
    },
  },
  revisor: {
    get title() {
      return t`Checking the SQL`;
    },
    get help() {
      return t`Compares the final query with the question.`;
    },
  },
  analyst: {
    get title() {
      return t`Analysing`;
    },
    get help() {
      return t`Computes the answer from fetched views. Used by ProSPy.`;
    },
  },
  assessor: {
    get title() {
      return t`Checking the answer`;
    },
    get help() {
      return t`Asks again behind the answer, to see how sure it is.`;
    },
  },
};
