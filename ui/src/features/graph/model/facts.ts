import { plural, t } from "@lingui/core/macro";
import { compact, duration, rowsOf } from "../../../kit/format";
import { statusLabel } from "../../../kit/status";
import { type GraphNode, nodeRows, type RunModel, rowsAreCut, type StageNode, stageMs, stageUsage } from "./model";
import { ACTION_NAMES, NODE_NAMES, STAGE_NAMES } from "./names";
import { chosenInShort } from "./readings";

/** Between two facts. */
export const FACT_GAP = " · ";

/** Short facts of a node: rows, tokens (if they are wanted), time. */
export function nodeFacts(node: GraphNode, now: number, withTokens = true): string[] {
  const facts: string[] = [];
  const rows = nodeRows(node);
  const told = rows === null ? "" : rowsOf({ rowCount: rows, truncated: rowsAreCut(node) });
  if (told !== "" && (node.type === "view" || node.state || told !== node.summary)) facts.push(told);
  if (node.type === "view") {
    if (node.attempts.length > 1) facts.push(t`${node.attempts.length} attempts`);
    return facts;
  }
  // First, since the end may be truncated.
  // The time and the tokens are those of the earlier run.
  if (node.keptFrom !== null) return [t`kept from the earlier run`, ...facts];
  if (node.edits.length > 0) facts.unshift(t`edited by you`);
  const changes = node.changed.reduce((sum, c) => sum + c.changes.length, 0);
  if (changes > 0) facts.unshift(plural(changes, { one: "# rule change", other: "# rule changes" }));
  if (node.state) {
    if (node.state.error) facts.push("failed");
    if (node.state.fixes > 0) facts.push(plural(node.state.fixes, { one: "# correction", other: "# corrections" }));
    return facts;
  }
  const usage = stageUsage(node);
  const tokens = usage.prompt_tokens + usage.completion_tokens;
  // There is no room for them beside rows and time.
  if (withTokens && tokens > 0 && told === "") facts.push(t`${compact(tokens)} tokens`);
  const ms = stageMs(node, now);
  if (ms >= 1 && (node.endMs !== null || node.status === "running")) facts.push(duration(ms));
  return facts;
}

/** The displayed name of a node. */
export function nodeTitle(node: GraphNode): string {
  if (node.type === "view") return node.name;
  if (node.state) return `${node.state.step} ${ACTION_NAMES[node.state.action].name}`;
  if (node.kind === "chunk" || node.kind === "step") return node.title;
  if (node.id === node.kind) return STAGE_NAMES[node.kind].name;
  return NODE_NAMES[node.id] ?? node.title;
}

/** A lane among many, in short: "Part 3 of 12". */
export function partName(stage: StageNode, run: RunModel): string {
  const chunks = run.stages.find((s) => s.schema)?.schema?.chunks.length ?? 0;
  const all = Math.max(chunks, run.stages.filter((s) => s.kind === "chunk").length);
  const number = stage.chunk ?? Number(stage.id.replace(/\D/g, "") || 0);
  return number > 0 && all > 1 ? t`Part ${number} of ${all}` : nodeTitle(stage);
}

/** The content of a card: the node's name, its result, and facts. */
function nodeShown(node: GraphNode, run: RunModel): string[] {
  return [nodeTitle(node), nodeLine(node), nodeFacts(node, run.lastMs).join(FACT_GAP)];
}

/** The accessible name of a node: what its card shows, in its order, then its state and what it reads. */
export function nodeSpoken(node: GraphNode, run: RunModel, shown = nodeShown(node, run)): string {
  const reads =
    node.type === "view"
      ? node.last.dependsOn
      : node.inputs.map((id) => nodeTitle(run.stages.find((s) => s.id === id) ?? node));
  return [
    ...shown,
    node.type === "view" ? t`view` : "",
    statusLabel(node.status),
    reads.length > 0 ? t`reads ${reads.join(", ")}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** The one line under a node's name. */
export function nodeLine(node: GraphNode): string {
  if (node.type === "view") {
    if (node.last.status === "error") return node.last.error ?? t`Failed`;
    return node.last.rationale;
  }
  if (node.state) return node.state.aim;
  if (node.asked?.by === null && node.status === "running") return t`Waiting for your choice`;
  const chosen = chosenInShort(node.asked);
  if (chosen !== "") return chosen[0]!.toUpperCase() + chosen.slice(1);
  return node.summary || (node.status === "running" ? liveLine(node) : "");
}

function liveLine(stage: StageNode): string {
  const open = stage.calls.at(-1);
  if (open && open.endMs === null) return open.text === "" ? t`Reading the prompt` : t`Writing`;
  return t`Working`;
}
