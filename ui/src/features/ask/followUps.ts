// Follow-ups that were begun, by run; remembered by the host, so that none is lost with the window.

import { create } from "zustand";
import { host } from "../../host/host";
import { type FollowUpDraft, NO_FOLLOW_UP } from "./FollowUpBox";

const MOST_KEPT = 100;
const KEY = "ask.followUps";
const WAIT_MS = 250;

export const useFollowUps = create<{ drafts: Record<string, FollowUpDraft> }>(() => ({ drafts: {} }));

export function followUpOf(runId: string): FollowUpDraft {
  return useFollowUps.getState().drafts[runId] ?? NO_FOLLOW_UP;
}

let timer: ReturnType<typeof setTimeout> | null = null;

/** Stores the text typed below a run; empty text deletes the draft. */
export function setFollowUp(runId: string, draft: FollowUpDraft) {
  const { [runId]: _, ...rest } = useFollowUps.getState().drafts;
  const blank = draft.text.trim() === "" && draft.question === null;
  const kept = Object.entries(rest).slice(1 - MOST_KEPT);
  useFollowUps.setState({ drafts: blank ? rest : Object.fromEntries([...kept, [runId, draft]]) });
  timer ??= setTimeout(rememberFollowUps, WAIT_MS);
}

/** Stores the drafts now; while typing, storing is delayed. */
export function rememberFollowUps() {
  if (timer === null) return;
  clearTimeout(timer);
  timer = null;
  void host().setPreference(KEY, JSON.stringify(useFollowUps.getState().drafts));
}

export async function startFollowUps() {
  const remembered = await host().preference(KEY);
  useFollowUps.setState((now) => ({ drafts: { ...readFollowUps(remembered ?? null), ...now.drafts } }));
  window.addEventListener("pagehide", rememberFollowUps);
  window.addEventListener("blur", rememberFollowUps);
}

/** Parses stored drafts; ignores other entries. */
function readFollowUps(remembered: string | null): Record<string, FollowUpDraft> {
  if (!remembered) return {};
  try {
    const all: unknown = JSON.parse(remembered);
    if (typeof all !== "object" || all === null) return {};
    return Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, FollowUpDraft] => isDraft(entry[1])),
    );
  } catch {
    return {};
  }
}

function isDraft(value: unknown): value is FollowUpDraft {
  const draft = value as Partial<FollowUpDraft> | null;
  if (typeof draft !== "object" || typeof draft?.text !== "string") return false;
  return draft.question === null || typeof draft.question === "string";
}
