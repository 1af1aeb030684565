// The board: saved answers that are looked at together, and their refreshing one after another. Which they are is a preference.

import { create } from "zustand";
import { withApproval } from "../../domain/approval";
import { onDeletion, savedQuestionName } from "../../domain/deletions";
import type { AppError, SavedQuestion, SavedResult } from "../../host/bindings";
import { host, toAppError } from "../../host/host";

/** Answers on a board; more are not overlooked at a glance. */
export const MOST_ON_BOARD = 24;
const KEY = "board";

/** What a card shows; the result is null where there is none yet. */
export interface BoardCard {
  status: "loading" | "ready" | "refreshing";
  result: SavedResult | null;
  error: AppError | null;
}

interface BoardState {
  /** Saved questions by id, in their order on the board. */
  ids: string[];
  cards: Record<string, BoardCard>;
  /** How far refreshing all of them has come; null while it does not happen. */
  progress: { done: number; of: number; stopping: boolean } | null;
}

export const useBoard = create<BoardState>(() => ({ ids: [], cards: {}, progress: null }));

const LOADING: BoardCard = { status: "loading", result: null, error: null };

const setCard = (id: string, card: BoardCard) => useBoard.setState((s) => ({ cards: { ...s.cards, [id]: card } }));

/** Puts a saved answer on the board, or takes it off. */
export function putOnBoard(id: string, on: boolean) {
  const others = useBoard.getState().ids.filter((other) => other !== id);
  useBoard.setState({ ids: on ? [...others, id].slice(-MOST_ON_BOARD) : others });
  void host().setPreference(KEY, JSON.stringify(useBoard.getState().ids));
}

export async function startBoard() {
  onDeletion((name) => {
    const id = useBoard.getState().ids.find((own) => savedQuestionName(own) === name);
    if (id !== undefined) putOnBoard(id, false);
  });
  await readBoard();
}

/** Reads the board again: another window may have changed it. */
export async function readBoard() {
  useBoard.setState({ ids: readIds((await host().preference(KEY)) ?? null) });
}

/** Parses the stored ids; ignores other entries. */
export function readIds(remembered: string | null): string[] {
  if (!remembered) return [];
  try {
    const all: unknown = JSON.parse(remembered);
    if (!Array.isArray(all)) return [];
    const ids = all.filter((id): id is string => typeof id === "string");
    return [...new Set(ids)].slice(0, MOST_ON_BOARD);
  } catch {
    return [];
  }
}

/** Loads the stored result of an answer. Nothing runs and nothing is opened. */
export async function loadCard(id: string) {
  const before = useBoard.getState().cards[id];
  if (before?.status === "refreshing") return;
  if (!before) setCard(id, LOADING);
  try {
    const result = await host().savedResult(id);
    // A refresh that began meanwhile has the last word.
    if (useBoard.getState().cards[id]?.status === "refreshing") return;
    setCard(id, { status: "ready", result, error: before?.error ?? null });
  } catch (thrown) {
    setCard(id, { status: "ready", result: before?.result ?? null, error: toAppError(thrown) });
  }
}

/** Runs the query of an answer. Its earlier result stays where that fails. */
export async function refreshCard({ id, warehouse, sql }: SavedQuestion) {
  const result = useBoard.getState().cards[id]?.result ?? null;
  setCard(id, { status: "refreshing", result, error: null });
  try {
    const fresh = await withApproval(warehouse, sql, () => host().runSaved(id, {}));
    setCard(id, { status: "ready", result: fresh, error: null });
  } catch (thrown) {
    setCard(id, { status: "ready", result, error: toAppError(thrown) });
  }
}

/** Runs the queries of these answers one after another, until that is stopped. */
export async function refreshAll(questions: SavedQuestion[]) {
  if (useBoard.getState().progress !== null) return;
  useBoard.setState({ progress: { done: 0, of: questions.length, stopping: false } });
  try {
    for (const question of questions) {
      if (useBoard.getState().progress?.stopping) return;
      // Taken off meanwhile.
      if (useBoard.getState().ids.includes(question.id)) await refreshCard(question);
      useBoard.setState(({ progress }) => ({ progress: progress && { ...progress, done: progress.done + 1 } }));
    }
  } finally {
    useBoard.setState({ progress: null });
  }
}

/** Lets the query that runs end, and starts no further one. */
export function stopRefreshing() {
  useBoard.setState(({ progress }) => ({ progress: progress && { ...progress, stopping: true } }));
}
