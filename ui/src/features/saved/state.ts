// Saved questions.

import { plural, t } from "@lingui/core/macro";
import { create } from "zustand";
import { withApproval } from "../../domain/approval";
import { announceDeletion, savedQuestionName } from "../../domain/deletions";
import type { AppError, CheckedSaved, SavedDraft, SavedQuestion, SavedStatus } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toast, toastError } from "../../kit/toast";
import { undoable } from "../../kit/undo";
import { EVERYTHING, type SavedListFilter } from "./find";
import { STATUS_WORDS } from "./words";

/** A saved question and its place in the library. */
export interface FiledQuestion {
  folder: string;
  tags: string[];
  /** The constants of its query that are asked for when it is run. */
  parameters: string[];
}

interface SavedState {
  list: SavedQuestion[];
  look: SavedListFilter;
  status: "loading" | "ready" | "failed";
  error: AppError | null;
  hidden: string[];
  /** Schema changes by question; only for open databases. */
  drifts: Record<string, string[]>;
  /** The draft in the save dialog. */
  draft: SavedDraft | null;
  /** Constants that hold values which were typed when it was run: they are asked for, unless the user says otherwise. */
  asked: string[];
}

export const useSaved = create<SavedState>(() => ({
  list: [],
  look: EVERYTHING,
  status: "loading",
  error: null,
  hidden: [],
  drifts: {},
  draft: null,
  asked: [],
}));

let latest = 0;

export async function loadSaved() {
  const mine = ++latest;
  try {
    const list = await host().saved("");
    if (mine === latest) useSaved.setState({ list, status: "ready", error: null });
  } catch (thrown) {
    if (mine === latest) useSaved.setState({ status: "failed", error: toAppError(thrown) });
  }
}

/** Asks what has changed of the schemas of open databases. */
export async function loadDrifts() {
  try {
    const drifts = await host().savedDrifts();
    useSaved.setState({ drifts: Object.fromEntries(drifts.map(({ id, changes }) => [id, changes])) });
  } catch {
    // The list is as good without it.
  }
}

export function setLook(part: Partial<SavedListFilter>) {
  useSaved.setState(({ look }) => ({ look: { ...look, ...part } }));
}

/** Opens the save dialog; for the one that is saved already, if the draft is the same answer of the same run. */
export function startSaving(draft: SavedDraft | null, asked: string[] = []) {
  const before = draft && savedAlready(useSaved.getState().list, draft);
  useSaved.setState({ draft: before ? draftOf(before) : draft, asked });
}

/** The saved question of a draft without an id. */
export function savedAlready(list: SavedQuestion[], draft: SavedDraft): SavedQuestion | undefined {
  if (draft.id !== null || draft.runId === null) return undefined;
  return list.find((q) => q.runId === draft.runId && !isChanged(q, draft));
}

/**
 * Saves a question. A checked question is a draft until its check is kept: a query that does not run is saved, but
 * not verified, and `error` says why.
 */
export async function saveQuestion(
  draft: SavedDraft,
  filed: FiledQuestion,
): Promise<{ question: SavedQuestion; error: AppError | null }> {
  const before = useSaved.getState().list.find((q) => q.id === draft.id);
  const unchecked =
    draft.status !== "draft" && !(before && before.status === draft.status && !isChanged(before, draft));
  let question = await host().saveQuestion(unchecked ? { ...draft, status: "draft" } : draft);
  let error: AppError | null = null;
  try {
    const { folder, tags } = question.filing;
    if (filed.folder !== folder || JSON.stringify(filed.tags) !== JSON.stringify(tags))
      question = await host().fileSaved(question.id, filed.folder, filed.tags);
    if (JSON.stringify(filed.parameters) !== JSON.stringify(question.filing.parameters))
      question = await host().setParameters(question.id, filed.parameters);
    if (unchecked) question = (await markQuestion(question, draft.status)).question;
  } catch (thrown) {
    error = toAppError(thrown);
  }
  await loadSaved();
  return { question, error };
}

function markQuestion({ id, warehouse, sql, code }: SavedQuestion, status: SavedStatus): Promise<CheckedSaved> {
  const work = () => host().markSaved(id, status, null);
  return status === "verified" && code === null ? withApproval(warehouse, sql, work) : work();
}

/** Records a check, and says what it found. */
export async function markSaved(question: SavedQuestion, status: SavedStatus) {
  try {
    const { question: marked, same } = await markQuestion(question, status);
    await Promise.all([loadSaved(), loadDrifts()]);
    const rows = marked.filing.checked?.result?.rows;
    const found = rows === undefined ? "" : foundRows(rows, same);
    toast({
      tone: same === false ? "plain" : "good",
      title: t`Marked as ${STATUS_WORDS[status]}.`,
      text: found || undefined,
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** The result of a query when it was verified. */
function foundRows(n: number, same: boolean | null): string {
  const rows = plural(n, { one: "# row", other: "# rows" });
  if (same === null) return rows;
  return same ? t`${rows}, the same as at the last check` : t`${rows}, different from the last check`;
}

export function deleteSaved(question: SavedQuestion) {
  useSaved.setState((s) => ({ hidden: [...s.hidden, question.id] }));
  const show = () => useSaved.setState((s) => ({ hidden: s.hidden.filter((id) => id !== question.id) }));
  undoable({
    title: t`Deleted “${question.title}”.`,
    undo: show,
    commit: async () => {
      try {
        await host().deleteSaved(question.id);
        announceDeletion(savedQuestionName(question.id));
        await loadSaved();
      } catch (thrown) {
        toastError(toAppError(thrown));
      }
      show();
    },
  });
}

/** A title from a question: its first sentence, short. */
export function titleFrom(question: string): string {
  const line = question.trim().split("\n")[0] ?? "";
  const sentence = /^(.{3,}?)[.?!](\s|$)/.exec(line)?.[1] ?? line;
  return sentence.length <= 80 ? sentence : `${sentence.slice(0, 79).replace(/\s+\S*$/, "")}…`;
}

/** A saved question with another query. A changed query is an unchecked draft again. */
export function withQuery(
  question: SavedQuestion,
  change: Pick<SavedDraft, "sql"> | Pick<SavedDraft, "code">,
): SavedDraft {
  const draft = { ...draftOf(question), ...change };
  return isChanged(question, draft) ? { ...draft, status: "draft" } : draft;
}

/** Returns whether a draft asks something else of the data than the saved question. */
export function isChanged(saved: SavedQuestion, draft: SavedDraft): boolean {
  return (
    draft.sql.trim() !== saved.sql.trim() ||
    (draft.code?.code.trim() ?? null) !== (saved.code?.code.trim() ?? null) ||
    JSON.stringify(draft.code?.views) !== JSON.stringify(saved.code?.views)
  );
}

/** A saved question as the dialog edits it. */
export function draftOf(q: SavedQuestion): SavedDraft {
  const { id, title, question, sql, code, warehouse, status, runId, notes } = q;
  return { id, title, question, sql, code, warehouse, status, runId, notes };
}
