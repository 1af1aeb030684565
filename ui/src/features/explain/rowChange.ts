// How steps change the number of rows, and the names of what they join.

import { t } from "@lingui/core/macro";
import type { ExplainedStep, Explanation } from "../../host/bindings";
import { count, decimals, listText, percent } from "../../kit/format";

/** A change of the number of rows at a step. */
export interface RowChange {
  /** The name of the step. */
  step: string;
  /** Rows of the input that is compared, and of the step. */
  before: number;
  after: number;
}

/** Kinds of steps that lose or multiply rows. Groups, distinct rows and limits reduce them by design. */
const CHANGING = new Set(["table", "filter", "having", "join"]);
/** The factor from which a change is worth a mark, up or down. */
const NOTABLE = 1.1;

/** The factor of a change, at least 1: 4 if the rows are four times as many or a quarter. */
const factorOf = ({ before, after }: RowChange) => (after >= before ? after / before : before / after);

/** Returns the step with the largest loss or multiplication of rows; null if no change is notable. */
export function largestChange(explanation: Explanation): RowChange | null {
  const changes = explanation.steps
    .map((step) => changeAt(step, explanation))
    .filter((change) => change !== null)
    .filter((change) => factorOf(change) >= NOTABLE);
  return changes.reduce<RowChange | null>(
    (best, change) => (best === null || factorOf(change) > factorOf(best) ? change : best),
    null,
  );
}

/**
 * The change at a step. A join is compared with the input that is closest to its result, so that the match of
 * a small table with a large one does not count as a multiplication.
 */
function changeAt(step: ExplainedStep, explanation: Explanation): RowChange | null {
  const after = step.rows;
  if (after === null || !CHANGING.has(step.kind)) return null;
  const inputs = (step.kind === "join" ? step.reads : step.reads.slice(0, 1)).map((name) =>
    rowsOf(name, explanation),
  );
  // An input that was not counted could be the closest.
  if (inputs.length === 0 || inputs.includes(null)) return null;
  const changes = (inputs as number[])
    .filter((before) => before > 0)
    .map((before) => ({ step: step.name, before, after }));
  if (changes.length === 0) return null;
  return changes.reduce((best, change) => (factorOf(change) < factorOf(best) ? change : best));
}

function rowsOf(name: string, { steps, selection }: Explanation): number | null {
  const step = steps.find((earlier) => earlier.name === name);
  return step ? step.rows : (selection.find((table) => table.table === name)?.rows ?? null);
}

/** A change in a few characters: "68% fewer rows", "3.0× the rows". */
export function changeText({ before, after }: RowChange): string {
  if (after === 0) return t`all rows lost`;
  return after < before ? t`${percent(1 - after / before)} fewer rows` : t`${decimals(after / before, 1)}× the rows`;
}

/** The same as a sentence, with the numbers. */
export function changeSentence({ before, after }: RowChange): string {
  return t`Largest change in the number of rows: ${count(before)} → ${count(after)}`;
}

/** The names that a join adds to its first input: tables, or the numbers of steps. Empty for other steps. */
export function joinedNames(step: ExplainedStep, { steps }: Explanation): string {
  if (step.kind !== "join") return "";
  return listText([...new Set(step.reads.slice(1).map((name) => sourceName(name, steps)))]);
}

function sourceName(name: string, steps: ExplainedStep[]): string {
  const at = steps.findIndex((step) => step.name === name);
  const step = steps[at];
  if (!step) return lastPart(name);
  const [table] = step.reads;
  // The rows of a table, perhaps filtered, have the table's name.
  if (step.kind === "table" && table !== undefined) return lastPart(table);
  return /^s\d/.test(name) ? t`step ${at + 1}` : name;
}

const lastPart = (table: string) => table.split(".").at(-1)!;
