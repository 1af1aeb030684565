// Nodes that contain what the user types: in their name, their line, their SQL or the names of their columns.

import { groupBy } from "../../../kit/groupBy";
import { nodeLine, nodeTitle } from "../model/facts";
import type { GraphNode, RunModel } from "../model/model";

/** The texts that a search for a node matches. */
function textOf(node: GraphNode): string {
  const parts =
    node.type === "view"
      ? [node.last.sql, ...(node.last.page?.columns.map((c) => c.name) ?? [])]
      : [node.title, node.sql, ...node.sqlAttempts.map((a) => a.sql), ...node.literals];
  return [nodeTitle(node), nodeLine(node), ...parts].join("\n").toLowerCase();
}

/** The nodes with every typed word, in the order of the run. Nothing typed finds nothing. */
export function findNodes(run: RunModel, typed: string): string[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const views = groupBy(run.views, (v) => v.stage);
  const nodes: GraphNode[] = run.stages.flatMap((s) => [s, ...(views.get(s.id) ?? [])]);
  return nodes
    .filter((node) => {
      const text = textOf(node);
      return words.every((word) => text.includes(word));
    })
    .map((node) => node.id);
}
