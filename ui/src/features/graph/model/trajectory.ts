// The path of a query that grows (DSR-SQL): states below each other, what was looked at aside to the right of the state
// that it branched off.

import type { StageNode } from "./model";

export interface TrajectoryPoint {
  id: string;
  /** A long path continues in a new column. */
  column: number;
  row: number;
  /** Beside the path and not on it. */
  aside: boolean;
}

/** Maximum number of states in a column of the path. */
const PATH_ROWS = 7;

/** Returns whether a step only explored the data. */
export function isAside(stage: StageNode): boolean {
  return stage.state?.action === "explore";
}

export function trajectory(steps: StageNode[]): TrajectoryPoint[] {
  const places: TrajectoryPoint[] = [];
  let column = 0;
  let row = -1;
  /** Branches that already hang on the last state of the path. */
  let branches = 0;
  for (const step of steps) {
    if (isAside(step)) {
      // A path that begins by looking aside still has its first state at the top.
      if (row < 0) row = 0;
      const below = row + branches;
      if (below >= PATH_ROWS) {
        column += 1;
        row = 0;
        branches = 0;
      }
      places.push({ id: step.id, column, row: row + branches, aside: true });
      branches += 1;
      continue;
    }
    row = places.length === 0 ? 0 : row + Math.max(1, branches);
    branches = 0;
    if (row >= PATH_ROWS) {
      column += 1;
      row = 0;
    }
    places.push({ id: step.id, column, row, aside: false });
  }
  return places;
}

/** The steps that a state builds on, and the steps that build on it. */
export function surroundingPoints(steps: StageNode[], step: StageNode): { before: StageNode[]; after: StageNode[] } {
  return {
    before: steps.filter((s) => step.inputs.includes(s.id)),
    after: steps.filter((s) => s.inputs.includes(step.id)),
  };
}
