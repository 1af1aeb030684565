// The source of an answer, for display, export and saving: SQL, or Python code over fetched views.

import { plural, t } from "@lingui/core/macro";
import { moneyOf, tokensOf } from "../domain/money";
import { fetchedViews } from "../features/graph/model/fetchedViews";
import type { RunModel } from "../features/graph/model/model";
import type { Origin } from "../features/grid/origin";
import { titleFrom } from "../features/saved/state";
import type { Explanation, ExplanationCheck, Reading, SavedDraft, SavedView } from "../host/bindings";
import { clipText, compact } from "../kit/format";
import { conditionChange } from "../run/conditionChange";
import { originOf } from "../run/useOrigin";

/** Characters of the changed conditions in a title. */
const LONGEST_CHANGE = 120;

/** Where the rows of an answer can be read again. The table of code has no query. */
export function answerOrigin(run: Pick<RunModel, "runId" | "warehouse" | "sql" | "code">): Origin {
  if (run.code !== null) return { table: { owner: run.runId, rerun: false } };
  return { warehouse: run.warehouse, sql: run.sql ?? "" };
}

/** The views that the code of an answer reads. */
export function viewsOf(run: RunModel): SavedView[] {
  return run.stages
    .flatMap(fetchedViews)
    .filter(({ last }) => last.error === null)
    .map(({ name, last }) => ({ name, sql: last.sql }));
}

/** The question as a title, with the conditions that a rerun changed: the question itself does not say them. */
function titleOf(run: RunModel): string {
  const title = titleFrom(run.question);
  const origin = originOf(run);
  const changed = origin && conditionChange(origin, run);
  return changed ? `${title} (${clipText(changed, LONGEST_CHANGE)})` : title;
}

/** The draft to save of an answer; `edited` replaces its SQL, or its code if it has code. */
export function draftOfAnswer(run: RunModel, edited?: string): SavedDraft {
  const sql = run.sql ?? "";
  return {
    id: null,
    title: titleOf(run),
    question: run.question,
    sql: run.code === null ? (edited ?? sql) : sql,
    code: run.code === null ? null : { code: edited ?? run.code, views: viewsOf(run) },
    warehouse: run.warehouse,
    status: "draft",
    runId: run.runId,
    notes: "",
  };
}

/** The conditions of an answer, in words. */
export function conditionsOf({ headline }: Pick<RunModel, "headline">, explanation: Explanation | null): string[] {
  return headline?.conditions ?? explanation?.rewritten?.filters ?? [];
}

/** Doubts that may change a number. */
export function doubtsOf(explanation: Explanation | null): ExplanationCheck[] {
  return (explanation?.checks ?? []).filter((check) => check.mayChange);
}

/** The label of an aggregate of a column. */
function aggregateOf(name: string, distinct: boolean, column: string): string | null {
  switch (name.toLowerCase()) {
    case "sum":
      return distinct ? t`Sum of distinct ${column}` : t`Sum of ${column}`;
    case "avg":
      return distinct ? t`Average of distinct ${column}` : t`Average of ${column}`;
    case "min":
      return t`Lowest ${column}`;
    case "max":
      return t`Highest ${column}`;
    case "count":
      return distinct ? t`Count of distinct ${column}` : t`Count of ${column}`;
    default:
      return null;
  }
}

/** The label of a single value: databases name an unnamed column after its expression, such as `count_star()`. */
export function valueLabel(column: string): string {
  if (/^count(_star)?\(\s*\*?\s*\)$/i.test(column)) return t`Count`;
  const [, name = "", distinct, inner] = column.match(/^(\w+)\((distinct )?(?:"?\w+"?\.)?"?(\w+)"?\)$/i) ?? [];
  return (inner && aggregateOf(name, distinct !== undefined, inner)) || column;
}

/** Money of a run so far; its tokens, too, if `details` are shown. */
export function spentInWords({ usage }: RunModel, details: boolean): string[] {
  const tokens = details ? tokensOf(usage) : 0;
  return [tokens > 0 ? t`${compact(tokens)} tokens` : "", moneyOf(usage)].filter((part) => part !== "");
}

/** All attempts behind some interpretations. */
export function countAttempts(readings: Pick<Reading, "votes">[]): number {
  return readings.reduce((sum, { votes }) => sum + votes, 0);
}

/** "3 of 6 attempts"; nothing of an interpretation whose query no attempt wrote. */
export function attemptsInWords(votes: number, of: number | null): string {
  if (votes === 0) return "";
  return of === null || of < votes
    ? plural(votes, { one: "# attempt", other: "# attempts" })
    : t`${votes} of ${plural(of, { one: "# attempt", other: "# attempts" })}`;
}
