// The strip at the bottom of a card: candidates as numbered marks, votes as parts of a bar, a selection of tables as
// bars that get shorter. The details of the node say the same in words.

import { funnel } from "../model/funnel";
import type { RunModel, StageNode } from "../model/model";
import { candidatesOf, chosenAmong, clustersOf } from "../model/results";

export type Tone = "chosen" | "plain" | "doubtful" | "failed";

export type Strip =
  | { kind: "marks"; marks: { number: number; tone: Tone }[]; more: number }
  | { kind: "parts"; parts: { part: number; tone: Tone }[] }
  | { kind: "funnel"; bars: { part: number; back: boolean }[] };

/** Marks beside each other on a card, and how many lines of them. */
const MARKS_PER_LINE = 8;
const MARK_LINES = 2;

/** Lines that a stage's strip takes; the layout needs to know. */
export function stripLines(stage: StageNode): number {
  const candidates = new Set(stage.sqlAttempts.map((a) => a.candidate)).size;
  if (candidates > 1) return Math.min(MARK_LINES, Math.ceil(candidates / MARKS_PER_LINE));
  if (clustersOf(stage).length > 0) return 1;
  return stage.linked.length > 0 ? 1 : 0;
}

export function stripOf(run: RunModel, stage: StageNode): Strip | null {
  if (stripLines(stage) === 0) return null;
  const candidates = candidatesOf(stage);
  if (candidates.length > 1) {
    const chosen = chosenAmong(run, stage);
    const room = MARKS_PER_LINE * MARK_LINES;
    const shown = candidates.length > room ? candidates.slice(0, room - 1) : candidates;
    return {
      kind: "marks",
      more: candidates.length - shown.length,
      marks: shown.map((c) => ({
        number: c.number,
        tone: c.last.error
          ? "failed"
          : chosen.has(c.number)
            ? "chosen"
            : c.last.rowCount === 0
              ? "doubtful"
              : "plain",
      })),
    };
  }
  const clusters = clustersOf(stage);
  if (clusters.length > 0) {
    const votes = clusters.reduce((sum, c) => sum + c.candidates.length, 0);
    return {
      kind: "parts",
      parts: clusters.map((c) => ({
        part: c.candidates.length / Math.max(1, votes),
        tone: isChosen(stage, c.candidates) ? "chosen" : c.suspicious ? "doubtful" : "plain",
      })),
    };
  }
  return { kind: "funnel", bars: funnel(run, stage).map((s) => ({ part: s.part, back: s.broughtBack })) };
}

function isChosen(choice: StageNode, candidates: number[]): boolean {
  return choice.choice !== null && candidates.includes(choice.choice.candidate);
}
