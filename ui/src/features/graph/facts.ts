import { compact, duration, rowsOf } from "../../kit/format";
import { type GraphNode, nodeRows, type RunModel, rowsAreCut, type StageNode, stageMs, stageUsage } from "./model";
import { STAGE_NAMES } from "./stages";

/** Short facts of a node: rows, tokens, time. */
export function nodeFacts(node: GraphNode, now: number): string[] {
  const facts: string[] = [];
  const rows = nodeRows(node);
  if (rows !== null) facts.push(rowsOf({ rowCount: rows, truncated: rowsAreCut(node) }));
  if (node.type === "view") {
    if (node.attempts.length > 1) facts.push(`${node.attempts.length} attempts`);
    return facts;
  }
  const usage = stageUsage(node);
  const tokens = usage.prompt_tokens + usage.completion_tokens;
  if (tokens > 0) facts.push(`${compact(tokens)} tokens`);
  if (node.endMs !== null || node.status === "running") facts.push(duration(stageMs(node, now)));
  return facts;
}

/** A node's name for people. */
export function nodeTitle(node: GraphNode): string {
  if (node.type === "view") return node.name;
  return node.kind === "chunk" ? node.title : STAGE_NAMES[node.kind].name;
}

/** What is said aloud when a node takes the focus. */
export function nodeSpoken(node: GraphNode, run: RunModel): string {
  const what = node.type === "view" ? `View ${node.name}` : nodeTitle(node);
  const reads =
    node.type === "view"
      ? node.last.dependsOn
      : node.inputs.map((id) => nodeTitle(run.stages.find((s) => s.id === id) ?? node));
  return [what, ...nodeFacts(node, run.lastMs), reads.length > 0 ? `reads ${reads.join(", ")}` : ""]
    .filter(Boolean)
    .join(", ");
}

/** The one line under a node's name. */
export function nodeLine(node: GraphNode): string {
  if (node.type === "view") {
    if (node.last.status === "error") return node.last.error ?? "Did not run";
    return node.last.rationale;
  }
  return node.summary || (node.status === "running" ? liveLine(node) : "");
}

function liveLine(stage: StageNode): string {
  const open = stage.calls.at(-1);
  if (open && open.endMs === null) return open.text === "" ? "Reading the prompt" : "Writing";
  return "Working";
}
