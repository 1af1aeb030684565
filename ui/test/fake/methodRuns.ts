// A run of each published method, folded: what the tests of the graph look at.

import { foldRun } from "../../src/features/graph/model/fold";
import type { RunModel } from "../../src/features/graph/model/model";
import { chaseLog } from "./chase";
import { dsrLog } from "./dsr";
import { prospyLog } from "./prospy";
import { reforceLog } from "./reforce";

export const AT = "2026-11-21T10:00:00Z";
export const dsr = foldRun(dsrLog("r", "duckdb:/x", AT));
export const long = foldRun(dsrLog("r", "duckdb:/x", AT, 14));
export const chase = foldRun(chaseLog("r", "duckdb:/x", AT));
export const reforce = foldRun(reforceLog("r", "duckdb:/x", AT));
export const thirty = foldRun(reforceLog("r", "duckdb:/x", AT, 30));
export const prospy = foldRun(prospyLog("r", "duckdb:/x", AT));
export const METHOD_RUNS: [string, RunModel][] = [
  ["DSR-SQL", dsr],
  ["DSR-SQL with twenty steps", long],
  ["CHASE-SQL", chase],
  ["ReFoRCE", reforce],
  ["ReFoRCE with thirty candidates", thirty],
  ["ProSPy", prospy],
];
export const stage = (run: RunModel, id: string) => run.stages.find((s) => s.id === id)!;
