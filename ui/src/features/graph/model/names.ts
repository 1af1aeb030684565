// Names of stages and of the actions of DSR-SQL.

import { t } from "@lingui/core/macro";
import type { GenerationAction, LinkingPass, StageKind } from "../../../host/bindings";
import { lazyRecord } from "../../../kit/lazyRecord";

export const STAGE_NAMES: Record<StageKind, { doing: string; done: string; name: string }> = lazyRecord({
  schema: () => ({
    name: t`Schema`,
    doing: t`Reading the schema`,
    done: t`Read the schema`,
  }),
  rewriter: () => ({
    name: t`Question`,
    doing: t`Understanding the question`,
    done: t`Understood the question`,
  }),
  linking: () => ({
    name: t`Tables`,
    doing: t`Choosing tables and columns`,
    done: t`Chose tables and columns`,
  }),
  grounding: () => ({
    name: t`Matched names`,
    doing: t`Matching names and values`,
    done: t`Matched names and values`,
  }),
  exploration: () => ({
    name: t`Data checks`,
    doing: t`Checking the data`,
    done: t`Checked the data`,
  }),
  chunk: () => ({
    name: t`Views`,
    doing: t`Preparing the data`,
    done: t`Prepared the data`,
  }),
  selection: () => ({
    name: t`Chosen tables`,
    doing: t`Choosing tables`,
    done: t`Chose tables`,
  }),
  planner: () => ({
    name: t`Plan`,
    doing: t`Planning the query`,
    done: t`Planned the query`,
  }),
  examples: () => ({
    name: t`Examples`,
    doing: t`Writing examples`,
    done: t`Wrote examples`,
  }),
  step: () => ({
    name: t`Step`,
    doing: t`Building the query`,
    done: t`Built the query`,
  }),
  generator: () => ({
    name: "SQL",
    doing: t`Writing the SQL`,
    done: t`Wrote the SQL`,
  }),
  choice: () => ({
    name: t`Choice`,
    doing: t`Comparing the results`,
    done: t`Compared the results`,
  }),
  fetch: () => ({
    name: t`Views`,
    doing: t`Fetching views`,
    done: t`Fetched views`,
  }),
  analysis: () => ({
    name: t`Analysis`,
    doing: t`Analysing the views`,
    done: t`Analysed the views`,
  }),
  revisor: () => ({
    name: t`Final check`,
    doing: t`Checking the SQL`,
    done: t`Checked the SQL`,
  }),
  result: () => ({
    name: t`Result`,
    doing: t`Running the query`,
    done: t`Ran the query`,
  }),
});

/** Short names of nodes that share a kind; their titles are too long for a card. */
export const NODE_NAMES: Record<string, string> = lazyRecord({
  facts: () => t`Background`,
  "divide-and-conquer": () => t`Divide and conquer`,
  "query-plan": () => t`Query plan`,
  synthetic: () => t`From examples`,
  "generator-2": () => t`SQL, second try`,
  "vote-1": () => t`Vote`,
  "vote-2": () => t`Second vote`,
});

/** Actions on a query built step by step: a name, and what the action does. */
export const ACTION_NAMES: Record<GenerationAction, { name: string; did: string }> = lazyRecord({
  extend: () => ({
    name: t`Add`,
    did: t`Extends the query by the next part of the question.`,
  }),
  revise: () => ({
    name: t`Fix`,
    did: t`Corrects the query.`,
  }),
  explore: () => ({
    name: t`Check the data`,
    did: t`Explores the data for later steps. It is never the answer.`,
  }),
  finalize: () => ({
    name: t`Final query`,
    did: t`Returns the query as the answer.`,
  }),
});

export const PASS_NAMES: Record<LinkingPass, string> = lazyRecord({
  drafts: () => t`Names used in drafts`,
  tables: () => t`Table by table`,
  coarseTables: () => t`First pass: tables`,
  coarseColumns: () => t`First pass: columns`,
  fineTables: () => t`Second pass: tables`,
  fineColumns: () => t`Second pass: columns`,
  broughtBack: () => t`Added back`,
  given: () => t`Given with the question`,
});

/** Results are named A, B, C ... in the order in which they were compared. */
export function resultName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26) + 1}`;
}
