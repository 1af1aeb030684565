// From one answer to all: what a second query leaves out is left out of every answer of the database.

import { t } from "@lingui/core/macro";
import { keepDefinitions, loadDefinitions, useDefinitions } from "../features/connections/definitions";
import type { RunModel } from "../features/graph/model/model";
import type { Definition } from "../host/bindings";
import { toast } from "../kit/toast";
import { askAgain } from "../run/startRun";

/** Keeps conditions that hold always from now on. The message undoes it, and asks the question again. */
export async function applyAlways(run: RunModel, always: Definition[]) {
  const { warehouse, question, knowledge, follows } = run;
  await loadDefinitions(warehouse);
  const before = useDefinitions.getState().kept[warehouse];
  if (!before) return;
  const entries = [...always, ...before.entries.filter((entry) => !always.some((one) => sameDefinition(one, entry)))];
  if (!(await keepDefinitions(warehouse, { ...before, entries }))) return;
  toast({
    tone: "good",
    title: t`Applied to every answer about this database from now on`,
    text: always.map(conditionText).join(", "),
    actions: [
      { label: t`Ask again`, run: () => void askAgain(question, warehouse, knowledge, follows) },
      { label: t`Undo`, run: () => void keepDefinitions(warehouse, before) },
    ],
    life: 15_000,
  });
}

/** Returns whether all of them hold already, as far as the definitions are known here. */
export function useAlreadyApplied(warehouse: string, always: Definition[]): boolean {
  const entries = useDefinitions((s) => s.kept[warehouse]?.entries);
  return always.every((one) => entries?.some((entry) => entry.always && sameDefinition(one, entry)));
}

/** Describes a definition in one line: a condition on rows, or values treated as one. */
export function conditionText({ subject, condition, term, synonyms }: Definition): string {
  return `${subject}: ${condition ?? [term, ...synonyms].join(" = ")}`;
}

/** Returns whether the other says at least as much. */
function sameDefinition(one: Definition, other: Definition): boolean {
  if (one.subject !== other.subject || one.condition !== other.condition) return false;
  return one.condition !== null || (one.term === other.term && one.synonyms.every((s) => other.synonyms.includes(s)));
}
