// Rounds of a run: what reads the choice that an earlier round came to is a round of its own (ReFoRCE explores, writes and
// votes again where the first vote was a tie).

import type { RunModel, StageNode } from "./model";

/** The round of every stage, from 0. The result belongs to the round that it came from. */
export function roundsOf(run: RunModel): Map<string, number> {
  const byId = new Map(run.stages.map((s) => [s.id, s]));
  const rounds = new Map<string, number>();
  const visit = (stage: StageNode, path: Set<string>): number => {
    const known = rounds.get(stage.id);
    if (known !== undefined) return known;
    if (path.has(stage.id)) return 0;
    const below = new Set(path).add(stage.id);
    const round = Math.max(
      0,
      ...stage.inputs.map((id) => {
        const input = byId.get(id);
        if (!input) return 0;
        return visit(input, below) + (input.kind === "choice" && stage.kind !== "result" ? 1 : 0);
      }),
    );
    rounds.set(stage.id, round);
    return round;
  };
  for (const stage of run.stages) visit(stage, new Set());
  return rounds;
}
