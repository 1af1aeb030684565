// What the user set in an earlier run, in words.

import { plural, t } from "@lingui/core/macro";
import type { RunChange, SteerEdit } from "../../../host/bindings";
import { compact, duration } from "../../../kit/format";
import { moneyOf, tokensOf } from "../../../kit/money";
import { nodeTitle } from "./facts";
import type { RunModel } from "./model";

/** "the plan", "without orders and customers.email" */
export function changeInWords(change: RunChange): string {
  switch (change.kind) {
    case "question":
      return t`the question`;
    case "rewritten":
      return t`the rewritten question`;
    case "tables": {
      const parts = [
        change.added.length > 0 ? t`with ${change.added.join(", ")}` : "",
        change.dropped.length > 0 ? t`without ${change.dropped.join(", ")}` : "",
      ];
      return parts.filter(Boolean).join(", ") || t`the tables`;
    }
    case "view":
      return t`the view ${change.name}`;
    case "plan":
      return t`the plan`;
    case "reading":
      return t`the interpretation of the question`;
    case "sql":
      return t`the SQL`;
  }
}

/** What the button that opens an editor says. */
export function editName(change: RunChange): string {
  switch (change.kind) {
    case "question":
      return t`Edit the question`;
    case "rewritten":
      return t`Edit the rewritten question`;
    case "tables":
      return t`Edit tables and columns`;
    case "view":
      return t`Edit the view ${change.name}`;
    case "plan":
      return t`Edit the plan`;
    case "reading":
      return t`Edit the interpretation of the question`;
    case "sql":
      return t`Edit the SQL`;
  }
}

/** The edit with its steps called as they are in the graph. */
export function asInGraph(edit: SteerEdit, { stages }: Pick<RunModel, "stages">): SteerEdit {
  const named = (title: string) => {
    const stage = stages.find((s) => s.title === title);
    return stage ? nodeTitle(stage) : title;
  };
  return { ...edit, again: edit.again.map(named), kept: edit.kept.map(named) };
}

/** What runs again, and what that took in the earlier run. */
export function againInWords({ again, took }: SteerEdit): string {
  const tokens = tokensOf(took);
  const cost = [
    took.llm_calls > 0 ? plural(took.llm_calls, { one: "# model call", other: "# model calls" }) : t`no model call`,
    tokens > 0 ? t`${compact(tokens)} tokens` : "",
    took.wall_ms > 0 ? duration(took.wall_ms) : "",
    moneyOf(took),
  ].filter(Boolean);
  const steps = again.length > 0 ? again.join(", ") : t`nothing`;
  return t`Runs again: ${steps}. About ${cost.join(", ")}, as in this run.`;
}

/** Names that were typed, separated by commas or lines. */
export function namesTyped(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Whether a change says something else than before, and can be sent. */
export function isChanged(before: RunChange, after: RunChange): boolean {
  if (after.kind === "tables") return after.added.length + after.dropped.length > 0;
  if (after.kind === "reading") return JSON.stringify(before) !== JSON.stringify(after);
  const says = "text" in after ? after.text : "sql" in after ? after.sql : after.rewritten.task;
  return says.trim() !== "" && JSON.stringify(before) !== JSON.stringify(after);
}
