// Candidates of a generator with their corrections, grouped by result.

import { t } from "@lingui/core/macro";
import type { Cluster } from "../../../host/bindings";
import type { RunModel, SqlAttempt, StageNode } from "./model";
import { resultName } from "./names";

export interface Candidate {
  number: number;
  /** The node that wrote it. */
  stage: string;
  /** The original, then one for each correction. */
  attempts: SqlAttempt[];
  last: SqlAttempt;
}

export interface ResultGroup {
  /** A, B, C ... where results were compared or voted on. */
  name: string | null;
  candidates: Candidate[];
  /** Rows of the result; null where nothing ran. */
  rowCount: number | null;
  suspicious: string | null;
}

/** The candidates of a stage, by number. */
export function candidatesOf(stage: StageNode): Candidate[] {
  const numbers = [...new Set(stage.sqlAttempts.map((a) => a.candidate))].sort((a, b) => a - b);
  return numbers.map((number) => {
    const attempts = stage.sqlAttempts.filter((a) => a.candidate === number);
    return { number, stage: stage.id, attempts, last: attempts.at(-1)! };
  });
}

/** The stages with candidates that a choice goes back to, nearest first on each way. */
function writersBehind(run: RunModel, choice: StageNode): StageNode[] {
  const found: StageNode[] = [];
  const seen = new Set<string>();
  const visit = (ids: string[]) => {
    for (const id of ids) {
      if (seen.has(id)) continue;
      seen.add(id);
      const stage = run.stages.find((s) => s.id === id);
      if (!stage) continue;
      if (stage.sqlAttempts.length > 0) found.push(stage);
      else visit(stage.inputs);
    }
  };
  visit(choice.inputs);
  return found;
}

/** All candidates that a choice was made among. */
export function candidatesBehind(run: RunModel, choice: StageNode): Candidate[] {
  return writersBehind(run, choice).flatMap(candidatesOf);
}

/** The results that a choice was made among, as it named them. */
export function clustersOf(choice: StageNode): Cluster[] {
  return choice.comparison?.clusters ?? choice.vote?.clusters ?? [];
}

/** The names that a later choice gave to a stage's results, by candidate. */
export function resultNames(run: RunModel, stage: StageNode): Map<number, string> {
  const choice = run.stages.find(
    (s) => clustersOf(s).length > 0 && (s.id === stage.id || writersBehind(run, s).some((w) => w.id === stage.id)),
  );
  if (!choice) return new Map();
  return new Map(
    clustersOf(choice).flatMap((cluster, i) => cluster.candidates.map((c): [number, string] => [c, resultName(i)])),
  );
}

/** Candidates with equal results together, the most common first; those without a result last. */
export function byResult(candidates: Candidate[], names = new Map<number, string>()): ResultGroup[] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { digest, error } = candidate.last;
    // A result without a digest is a group of its own.
    const key = error !== null ? "" : (digest ?? `${candidate.stage}:${candidate.number}`);
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  return [...groups.entries()]
    .map(([key, members]) => ({
      name: key === "" ? null : (names.get(members[0]!.number) ?? null),
      candidates: members,
      rowCount: key === "" ? null : members[0]!.last.rowCount,
      suspicious: null,
      failed: key === "",
    }))
    .sort(
      (a, b) =>
        Number(a.failed) - Number(b.failed) ||
        b.candidates.length - a.candidates.length ||
        a.candidates[0]!.number - b.candidates[0]!.number,
    )
    .map(({ failed: _, ...group }) => group);
}

/** The results of a choice with their candidates, grouped by result if the choice lists none. */
export function resultsOf(run: RunModel, choice: StageNode): ResultGroup[] {
  const all = candidatesBehind(run, choice);
  const clusters = clustersOf(choice);
  if (clusters.length === 0) return byResult(all).filter((g) => g.candidates.every((c) => c.last.error === null));
  return clusters.map((cluster, i) => {
    const candidates = cluster.candidates.flatMap((number) => all.find((c) => c.number === number) ?? []);
    return {
      name: resultName(i),
      candidates,
      rowCount: candidates[0]?.last.rowCount ?? null,
      suspicious: cluster.suspicious,
    };
  });
}

/** Candidates in no result of a choice: failed, or left out. */
export function leftOut(run: RunModel, choice: StageNode): ResultGroup[] {
  const held = new Set(resultsOf(run, choice).flatMap((r) => r.candidates.map((c) => c.number)));
  return byResult(candidatesBehind(run, choice).filter((c) => !held.has(c.number)));
}

/** The candidates of a stage whose result became the answer, by its own choice or by the one that came after it. */
export function chosenAmong(run: RunModel, stage: StageNode): Set<number> {
  const own = candidatesOf(stage);
  const choice = stage.choice ? stage : run.stages.find((s) => s.choice && s.inputs.includes(stage.id));
  const chosen = choice?.choice?.candidate;
  const results = choice === stage ? byResult(own) : choice ? resultsOf(run, choice) : [];
  const numbers = new Set(
    results.find((r) => r.candidates.some((c) => c.number === chosen))?.candidates.map((c) => c.number),
  );
  return new Set(own.map((c) => c.number).filter((number) => numbers.has(number)));
}

/** "1, 2, 4" or, when there are many, "1, 2, 4 and 9 more" */
export function numbersInWords(numbers: number[], shown = 6): string {
  if (numbers.length <= shown) return numbers.join(", ");
  return t`${numbers.slice(0, shown - 1).join(", ")} and ${numbers.length - shown + 1} more`;
}
