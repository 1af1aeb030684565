// Names of stages and of the actions of DSR-SQL.

import { t } from "@lingui/core/macro";
import type { GenerationAction, LinkingPass, StageKind } from "../../../host/bindings";

export const STAGE_NAMES: Record<StageKind, { doing: string; done: string; name: string }> = {
  schema: {
    get name() {
      return t`Schema`;
    },
    get doing() {
      return t`Reading the schema`;
    },
    get done() {
      return t`Read the schema`;
    },
  },
  rewriter: {
    get name() {
      return t`Question`;
    },
    get doing() {
      return t`Understanding the question`;
    },
    get done() {
      return t`Understood the question`;
    },
  },
  linking: {
    get name() {
      return t`Tables`;
    },
    get doing() {
      return t`Choosing tables and columns`;
    },
    get done() {
      return t`Chose tables and columns`;
    },
  },
  grounding: {
    get name() {
      return t`Matched names`;
    },
    get doing() {
      return t`Matching names and values`;
    },
    get done() {
      return t`Matched names and values`;
    },
  },
  exploration: {
    get name() {
      return t`Data checks`;
    },
    get doing() {
      return t`Checking the data`;
    },
    get done() {
      return t`Checked the data`;
    },
  },
  chunk: {
    get name() {
      return t`Views`;
    },
    get doing() {
      return t`Writing views`;
    },
    get done() {
      return t`Wrote views`;
    },
  },
  selection: {
    get name() {
      return t`Chosen tables`;
    },
    get doing() {
      return t`Merging the selections`;
    },
    get done() {
      return t`Merged the selections`;
    },
  },
  planner: {
    get name() {
      return t`Plan`;
    },
    get doing() {
      return t`Planning the query`;
    },
    get done() {
      return t`Planned the query`;
    },
  },
  examples: {
    get name() {
      return t`Examples`;
    },
    get doing() {
      return t`Writing examples`;
    },
    get done() {
      return t`Wrote examples`;
    },
  },
  step: {
    get name() {
      return t`Step`;
    },
    get doing() {
      return t`Building the query`;
    },
    get done() {
      return t`Built the query`;
    },
  },
  generator: {
    name: "SQL",
    get doing() {
      return t`Writing the SQL`;
    },
    get done() {
      return t`Wrote the SQL`;
    },
  },
  choice: {
    get name() {
      return t`Choice`;
    },
    get doing() {
      return t`Comparing the results`;
    },
    get done() {
      return t`Compared the results`;
    },
  },
  fetch: {
    get name() {
      return t`Views`;
    },
    get doing() {
      return t`Fetching views`;
    },
    get done() {
      return t`Fetched views`;
    },
  },
  analysis: {
    get name() {
      return t`Analysis`;
    },
    get doing() {
      return t`Analysing the views`;
    },
    get done() {
      return t`Analysed the views`;
    },
  },
  revisor: {
    get name() {
      return t`Revision`;
    },
    get doing() {
      return t`Checking the SQL`;
    },
    get done() {
      return t`Checked the SQL`;
    },
  },
  result: {
    get name() {
      return t`Result`;
    },
    get doing() {
      return t`Running the query`;
    },
    get done() {
      return t`Ran the query`;
    },
  },
};

/** Short names of nodes that share a kind; their titles are too long for a card. */
export const NODE_NAMES: Record<string, string> = {
  get facts() {
    return t`Background`;
  },
  get "divide-and-conquer"() {
    return t`Divide and conquer`;
  },
  get "query-plan"() {
    return t`Query plan`;
  },
  get synthetic() {
    return t`From examples`;
  },
  get "generator-2"() {
    return t`SQL, second try`;
  },
  get "vote-1"() {
    return t`Vote`;
  },
  get "vote-2"() {
    return t`Second vote`;
  },
};

/** Actions on a query built step by step: a name, and what the action does. */
export const ACTION_NAMES: Record<GenerationAction, { name: string; did: string }> = {
  extend: {
    get name() {
      return t`Add`;
    },
    get did() {
      return t`Extends the query by the next part of the question.`;
    },
  },
  revise: {
    get name() {
      return t`Fix`;
    },
    get did() {
      return t`Corrects the query.`;
    },
  },
  explore: {
    get name() {
      return t`Check the data`;
    },
    get did() {
      return t`Looks at the data. Later steps use what it finds; it is never the answer.`;
    },
  },
  finalize: {
    get name() {
      return t`Final query`;
    },
    get did() {
      return t`Makes the query the answer.`;
    },
  },
};

export const PASS_NAMES: Record<LinkingPass, string> = {
  get drafts() {
    return t`Names used in drafts`;
  },
  get tables() {
    return t`Table by table`;
  },
  get coarseTables() {
    return t`First pass: tables`;
  },
  get coarseColumns() {
    return t`First pass: columns`;
  },
  get fineTables() {
    return t`Second pass: tables`;
  },
  get fineColumns() {
    return t`Second pass: columns`;
  },
  get broughtBack() {
    return t`Added again`;
  },
};

/** Results are named A, B, C ... in the order in which they were compared. */
export function resultName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26) + 1}`;
}
