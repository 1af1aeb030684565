// Facts for the sentence under an answer: sources and cost.

import { plural, t } from "@lingui/core/macro";
import type { Reading } from "../../../host/bindings";
import { clipText, groupDigits, listText } from "../../../kit/format";
import { showOf } from "../../../kit/show";
import { rowsFor } from "./grain";
import type { RunModel } from "./model";

export interface AnswerFacts {
  rows: number;
  truncated: boolean;
  tables: string[];
  views: string[];
  ms: number;
  tokens: number;
  calls: number;
  warnings: number;
}

/** Which of these names a statement mentions as a whole word, quoted or not. */
export function mentionedNames(sql: string, names: string[]): string[] {
  const words = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []);
  return names.filter((name) => {
    const last = name.split(".").at(-1)!.toLowerCase();
    if (words.has(last)) return true;
    return /[^\p{L}\p{N}_$]/u.test(last) && sql.toLowerCase().includes(last);
  });
}

/** The tables that a query seems to read, where no catalog is here to tell. */
export function readFrom(sql: string): string[] {
  const places = sql.matchAll(/\b(?:from|join)\s+((?:["`]?[\p{L}\p{N}_$]+["`]?\.)*["`]?([\p{L}\p{N}_$]+)["`]?)/giu);
  return [...new Set([...places].map((place) => place[2]!))];
}

export function answerFacts(run: RunModel, knownTables: string[] = []): AnswerFacts {
  const sql = run.sql ?? "";
  const candidates = run.selection.tables.length > 0 ? run.selection.tables.map((t) => t.name) : knownTables;
  const views = run.views.filter((v) => v.kept).map((v) => v.name);
  return {
    rows: run.page?.rowCount ?? 0,
    truncated: run.page?.truncated ?? false,
    tables: mentionedNames(sql, [...new Set(candidates)]),
    views: mentionedNames(sql, [...new Set(views)]),
    // Until the run has ended its usage adds up all calls, including parallel ones.
    ms: run.status === "running" ? (run.answeredMs ?? run.lastMs) : run.usage.wall_ms || run.lastMs,
    tokens: run.usage.prompt_tokens + run.usage.completion_tokens,
    calls: run.usage.llm_calls,
    warnings: run.warnings.length,
  };
}

/** Other possible answers, if the last vote had no majority. Logs of earlier versions lack them. */
export function otherResults(run: RunModel): Reading[] {
  return run.stages.findLast((stage) => stage.choice !== null)?.choice?.others ?? [];
}

/** A result of which only its beginning is known, and perhaps its query and what that means. */
export type ResultBegun = Pick<Reading, "rowCount" | "firstRow"> & Partial<Pick<Reading, "sql" | "meaning">>;

/** Maximum number of cells shown of the first row. */
const SAID = 4;
const LONGEST = 60;

/**
 * A result in a few words: its only value, or how many rows there are, what each stands for and, where nothing else tells it
 * from other results, how they begin.
 */
export function resultInWords({ rowCount, firstRow, sql, meaning }: ResultBegun): string {
  if (rowCount === 0) return t`no rows`;
  const cells = firstRow.slice(0, SAID).map(cellInWords);
  if (rowCount === 1 && firstRow.length === 1) return cells[0]!;
  const begins = cells.join(", ");
  if (rowCount === 1) return t`1 row: ${begins}`;
  const rows = plural(rowCount, { one: "# row", other: "# rows" });
  const one = listText(rowsFor(sql ?? "", null).map((name) => name.replaceAll("_", " ").trim()));
  if (one === "") return t`${rows}, starting with ${begins}`;
  return meaning ? t`${rows}, one per ${one}` : t`${rows}, one per ${one}, starting with ${begins}`;
}

/** A value whose type is not known: a number or a date by the way that it is written. */
function cellInWords(cell: string | null): string {
  if (cell === null) return t`no value`;
  const isDate = /^\d{4}-\d{2}-\d{2}(?:[ T]|$)/.test(cell);
  return clipText(isDate ? showOf({ name: "", type: "timestamp" })(cell) : groupDigits(cell), LONGEST);
}

/** "orders, customers and 2 more" */
export function listNames(names: string[], shown = 3): string {
  if (names.length <= shown) return listText(names);
  return t`${names.slice(0, shown - 1).join(", ")} and ${names.length - shown + 1} more`;
}
