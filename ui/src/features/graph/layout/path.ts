// The ancestors and descendants of a node.

import { groupBy } from "../../../kit/groupBy";
import type { RunModel } from "../model/model";
import type { Edge } from "./layout";

/** Returns the ids of the lines to and from a node. A view includes its lane. */
export function pathThrough(run: RunModel, edges: Edge[], node: string | null): Set<string> {
  const lit = new Set<string>();
  if (node === null) return lit;
  const lane = run.views.find((v) => v.id === node)?.stage;
  const start = lane === undefined ? [node] : [node, lane];
  for (const [here, there] of [
    ["from", "to"],
    ["to", "from"],
  ] as const) {
    const queue = [...start];
    const seen = new Set(queue);
    const lines = groupBy(edges, (edge) => edge[here]);
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const edge of lines.get(at) ?? []) {
        lit.add(edge.id);
        if (!seen.has(edge[there])) queue.push(edge[there]);
        seen.add(edge[there]);
      }
    }
  }
  return lit;
}
