// The query that replaces a run's answer on screen, and the content of the SQL tab. Save and Export use it.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import { setDraft, useDrafts } from "../features/editor/state";
import type { RunModel } from "../features/graph/model/model";
import type { Origin } from "../features/grid/origin";
import { lazyRecord } from "../kit/lazyRecord";
import { toast } from "../kit/toast";
import type { RunTab } from "../navigation/route";
import { answerOrigin } from "./answer";

/** A query whose rows replace the answer's. */
export interface OtherQuery {
  kind: "written" | "variant" | "reading" | "candidate";
  /** The difference, as text. */
  about: string;
  sql: string;
  /** It failed, so there are no rows. */
  failed?: boolean;
}

interface ShownQuery {
  /** By run. */
  others: Record<string, OtherQuery>;
  /** The content of a run's SQL tab, if it is not the answer. */
  edited: Record<string, Origin>;
}

export const useShownQuery = create<ShownQuery>(() => ({ others: {}, edited: {} }));

function setShownQuery<T>(all: Record<string, T>, key: string, value: T | null): Record<string, T> {
  const { [key]: _, ...rest } = all;
  return value === null ? rest : { ...rest, [key]: value };
}

/** Shows a query in place of the answer; null goes back to the answer. */
export function showOther(runId: string, other: OtherQuery | null) {
  useShownQuery.setState((s) => ({ others: setShownQuery(s.others, runId, other) }));
}

export function showEdited(runId: string, origin: Origin | null) {
  useShownQuery.setState((s) => ({ edited: setShownQuery(s.edited, runId, origin) }));
}

export const OTHER_TITLES: Record<OtherQuery["kind"], string> = lazyRecord({
  written: () => t`Original query`,
  variant: () => t`Variant`,
  reading: () => t`Other interpretation`,
  candidate: () => t`Other candidate`,
});

const WHOSE: Record<OtherQuery["kind"], string> = lazyRecord({
  written: () => t`original query`,
  variant: () => t`variant`,
  reading: () => t`other interpretation`,
  candidate: () => t`other candidate`,
});

/** The rows that a tab shows, and a label if they are not the answer's. */
export function shownRows(
  run: RunModel,
  tab: RunTab,
  shown: ShownQuery,
): { origin: Origin; whose: string | null; failed?: boolean } {
  const other = shown.others[run.runId];
  if (tab === "answer" && other) {
    return { origin: { warehouse: run.warehouse, sql: other.sql }, whose: WHOSE[other.kind], failed: other.failed };
  }
  const edited = shown.edited[run.runId];
  if (tab === "sql" && edited && !isAnswers(run, edited)) {
    return { origin: edited, whose: run.code === null ? t`edited query` : t`edited code` };
  }
  return { origin: answerOrigin(run), whose: null };
}

/** Returns whether these rows are the answer's query, run again. */
function isAnswers(run: RunModel, origin: Origin): boolean {
  return "sql" in origin && run.code === null && origin.sql === run.sql;
}

/** Puts a query into the editor of a run. The replaced text can be restored. */
export function putInEditor(runId: string, sql: string) {
  putInDraft(`run:${runId}`, sql);
}

export function putInDraft(key: string, sql: string) {
  const before = useDrafts.getState().drafts[key];
  setDraft(key, sql);
  if (before === undefined || before === sql) return;
  toast({
    title: t`Your edited SQL was replaced.`,
    life: 10_000,
    actions: [{ label: t`Restore`, run: () => setDraft(key, before) }],
  });
}
