// Facts for the sentence under an answer: sources and cost.

import { plural, t } from "@lingui/core/macro";
import type { Reading } from "../../../host/bindings";
import { groupDigits, listed } from "../../../kit/format";
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
export function mentioned(sql: string, names: string[]): string[] {
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
    tables: mentioned(sql, [...new Set(candidates)]),
    views: mentioned(sql, [...new Set(views)]),
    // Until the run has ended its usage adds up calls, also those that went on side by side.
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

/** A result in a few words: its only value, or how many rows there are and how they begin. */
export function resultInWords({ rowCount, firstRow }: Pick<Reading, "rowCount" | "firstRow">): string {
  if (rowCount === 0) return t`no rows`;
  const cells = firstRow.map((cell) => cell ?? "NULL");
  if (rowCount === 1 && cells.length === 1) return groupDigits(cells[0]!);
  const begins = cells.slice(0, 4).join(", ");
  if (rowCount === 1) return t`1 row, ${begins}`;
  return t`${plural(rowCount, { one: "# row", other: "# rows" })}, first ${begins}`;
}

/** "orders, customers and 2 more" */
export function listNames(names: string[], shown = 3): string {
  if (names.length <= shown) return listed(names);
  return t`${names.slice(0, shown - 1).join(", ")} and ${names.length - shown + 1} more`;
}
