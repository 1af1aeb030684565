// Saved questions.

import { create } from "zustand";
import type { AppError, SavedDraft, SavedQuestion } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toastError } from "../../kit/toast";
import { undoable } from "../../kit/undo";

interface SavedState {
  list: SavedQuestion[];
  search: string;
  status: "loading" | "ready" | "failed";
  error: AppError | null;
  hidden: string[];
  /** What the save dialog is open for. */
  draft: SavedDraft | null;
}

export const useSaved = create<SavedState>(() => ({
  list: [],
  search: "",
  status: "loading",
  error: null,
  hidden: [],
  draft: null,
}));

let latest = 0;

export async function loadSaved(search = useSaved.getState().search) {
  const mine = ++latest;
  useSaved.setState({ search });
  try {
    const list = await host().saved(search);
    if (mine === latest) useSaved.setState({ list, status: "ready", error: null });
  } catch (thrown) {
    if (mine === latest) useSaved.setState({ status: "failed", error: toAppError(thrown) });
  }
}

export function startSaving(draft: SavedDraft | null) {
  useSaved.setState({ draft });
}

export async function save(draft: SavedDraft): Promise<SavedQuestion> {
  const saved = await host().saveQuestion(draft);
  await loadSaved();
  return saved;
}

export function deleteSaved(question: SavedQuestion) {
  useSaved.setState((s) => ({ hidden: [...s.hidden, question.id] }));
  const show = () => useSaved.setState((s) => ({ hidden: s.hidden.filter((id) => id !== question.id) }));
  undoable({
    title: `Deleted “${question.title}”.`,
    undo: show,
    commit: async () => {
      try {
        await host().deleteSaved(question.id);
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

/** A saved question with another query. A changed query is a draft again: nobody has checked it. */
export function withQuery(
  question: SavedQuestion,
  change: Pick<SavedDraft, "sql"> | Pick<SavedDraft, "code">,
): SavedDraft {
  const draft = { ...draftOf(question), ...change };
  return isChanged(question, draft) ? { ...draft, status: "draft" } : draft;
}

/** Whether a draft asks something else of the data than the saved question. */
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
