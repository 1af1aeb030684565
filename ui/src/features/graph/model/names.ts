// Names of stages and of the actions of DSR-SQL.

import type { GenerationAction, LinkingPass, StageKind } from "../../../host/bindings";

export const STAGE_NAMES: Record<StageKind, { doing: string; done: string; name: string }> = {
  schema: { name: "Schema", doing: "Reading the schema", done: "Read the schema" },
  rewriter: { name: "Question", doing: "Understanding the question", done: "Understood the question" },
  linking: { name: "Tables", doing: "Choosing tables and columns", done: "Chose tables and columns" },
  grounding: { name: "Matched names", doing: "Matching names and values", done: "Matched names and values" },
  exploration: { name: "Data checks", doing: "Checking the data", done: "Checked the data" },
  chunk: { name: "Views", doing: "Writing views", done: "Wrote views" },
  selection: { name: "Chosen tables", doing: "Merging the selections", done: "Merged the selections" },
  planner: { name: "Plan", doing: "Planning the query", done: "Planned the query" },
  examples: { name: "Examples", doing: "Writing examples", done: "Wrote examples" },
  step: { name: "Step", doing: "Building the query", done: "Built the query" },
  generator: { name: "SQL", doing: "Writing the SQL", done: "Wrote the SQL" },
  choice: { name: "Choice", doing: "Comparing the results", done: "Compared the results" },
  fetch: { name: "Views", doing: "Fetching views", done: "Fetched views" },
  analysis: { name: "Analysis", doing: "Analysing the views", done: "Analysed the views" },
  revisor: { name: "Revision", doing: "Checking the SQL", done: "Checked the SQL" },
  result: { name: "Result", doing: "Running the query", done: "Ran the query" },
};

/** Short names of nodes that share a kind; their titles are too long for a card. */
export const NODE_NAMES: Record<string, string> = {
  facts: "Background",
  "divide-and-conquer": "Divide and conquer",
  "query-plan": "Query plan",
  synthetic: "From examples",
  "generator-2": "SQL, second try",
  "vote-1": "Vote",
  "vote-2": "Second vote",
};

/** Actions on a query built step by step: a name, and what the action does. */
export const ACTION_NAMES: Record<GenerationAction, { name: string; did: string }> = {
  extend: { name: "Add", did: "Extends the query by the next part of the question." },
  revise: { name: "Fix", did: "Corrects the query." },
  explore: {
    name: "Check the data",
    did: "Looks at the data. Later steps use what it finds; it is never the answer.",
  },
  finalize: { name: "Final query", did: "Makes the query the answer." },
};

export const PASS_NAMES: Record<LinkingPass, string> = {
  drafts: "Names used in drafts",
  tables: "Table by table",
  coarseTables: "First pass: tables",
  coarseColumns: "First pass: columns",
  fineTables: "Second pass: tables",
  fineColumns: "Second pass: columns",
  broughtBack: "Added again",
};

/** Results are named A, B, C ... in the order in which they were compared. */
export function resultName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26) + 1}`;
}
