// Describes the editable settings of an earlier run, and the steps that run again.

import { plural, t } from "@lingui/core/macro";
import { moneyOf, tokensOf } from "../../../domain/money";
import { addUsage, NO_USAGE } from "../../../domain/usage";
import type { RunChange, SteerEdit, Usage } from "../../../host/bindings";
import { compact, duration } from "../../../kit/format";
import { nodeTitle } from "./facts";
import type { RunModel } from "./model";

/** The label of the button that opens an editor. */
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

/** The edit with its steps called as they are in the graph, and with what they took as the run counts it. */
export function asInGraph(edit: SteerEdit, run: Pick<RunModel, "stages" | "answeredMs">): SteerEdit {
  const { stages } = run;
  const named = (title: string) => {
    const stage = stages.find((s) => s.title === title);
    return stage ? nodeTitle(stage) : title;
  };
  return { ...edit, again: edit.again.map(named), kept: edit.kept.map(named), took: tookOf(edit, run) };
}

/** The usage of steps until the answer: without the checks after it, and with parallel calls counted once in time. */
function tookOf({ again, took }: SteerEdit, { stages, answeredMs }: Pick<RunModel, "stages" | "answeredMs">): Usage {
  if (took.llm_calls === 0) return took;
  const calls = stages
    .filter(({ title }) => again.includes(title))
    .flatMap((stage) => stage.calls)
    .filter(({ agent, startMs }) => agent !== "assessor" && startMs <= (answeredMs ?? startMs));
  const spent = calls.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), NO_USAGE);
  return { ...spent, wall_ms: unionDuration(calls.map(({ startMs, endMs }) => [startMs, endMs ?? startMs])) };
}

/** Returns the total time that spans cover. */
function unionDuration(spans: [number, number][]): number {
  let [until, sum] = [0, 0];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}

/** The steps that run again, and their usage in the earlier run. */
export function againInWords({ again, took }: SteerEdit): string {
  const steps = again.length > 0 ? again.join(", ") : t`nothing`;
  if (took.llm_calls === 0) return t`Runs again: ${steps}. This needs no model call.`;
  const tokens = tokensOf(took);
  const cost = [
    plural(took.llm_calls, { one: "# model call", other: "# model calls" }),
    tokens > 0 ? t`${compact(tokens)} tokens` : "",
    took.wall_ms > 0 ? duration(took.wall_ms) : "",
    moneyOf(took),
  ].filter(Boolean);
  return t`Runs again: ${steps}. About ${cost.join(", ")}, as in this run.`;
}

/** Names that were typed, separated by commas or lines. */
export function namesTyped(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Returns whether a change says something else than before, and can be sent. */
export function isChanged(before: RunChange, after: RunChange): boolean {
  if (after.kind === "tables") return after.added.length + after.dropped.length > 0;
  if (after.kind === "reading") return JSON.stringify(before) !== JSON.stringify(after);
  const says = "text" in after ? after.text : "sql" in after ? after.sql : after.rewritten.task;
  return says.trim() !== "" && JSON.stringify(before) !== JSON.stringify(after);
}
