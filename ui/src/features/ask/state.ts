// The question in the box, its place, and the drafts of other places.

import { create } from "zustand";
import { methodNamed } from "../../domain/methods";
import type { MethodName, ModelId } from "../../host/bindings";
import { host } from "../../host/host";
import { type Draft, EMPTY, readDrafts, withDraft } from "./drafts";

type Chosen = Pick<AskState, "strategy" | "model">;

interface AskState {
  text: string;
  knowledge: string;
  knowledgeOpen: boolean;
  strategy: MethodName | null;
  model: ModelId | null;
  /** The method and model of a run's question: its box shows and changes these, not the choice for new questions. */
  asked: Chosen | null;
  /** Where the question is written; null before the first page is there. */
  place: string | null;
  /** The text without a draft. */
  own: Draft;
  drafts: Record<string, Draft>;
}

export const useAsk = create<AskState>(() => ({
  text: "",
  knowledge: "",
  knowledgeOpen: false,
  strategy: null,
  model: null,
  asked: null,
  place: null,
  own: EMPTY,
  drafts: {},
}));

/** The method and the model that the question in the box is asked with. */
export function chosenMethod({ asked, strategy, model }: AskState): Chosen {
  return asked ?? { strategy, model };
}

/** A run's box begins with how the run was asked; null where a new question is written. */
export function beginWith(asked: Chosen | null) {
  useAsk.setState({ asked });
}

/** Applies the user's input. The text becomes the draft of its place. */
export function setAsk(change: Partial<Omit<AskState, "place" | "own" | "drafts" | "asked">>) {
  const { asked } = useAsk.getState();
  if (asked !== null && ("strategy" in change || "model" in change)) {
    const { strategy = asked.strategy, model = asked.model } = change;
    useAsk.setState({ asked: { strategy, model } });
    return;
  }
  useAsk.setState(change);
  if ("text" in change || "knowledge" in change) keepDraft();
  if ("strategy" in change) void host().setPreference("ask.strategy", change.strategy ?? "");
  if ("model" in change) void host().setPreference("ask.model", change.model ?? "");
}

/** Shows an earlier question without giving up the draft. */
export function showEarlier(text: string) {
  useAsk.setState({ text });
}

function keepDraft() {
  const { place, own, drafts, text, knowledge } = useAsk.getState();
  if (place !== null) changeState(withDraft(drafts, place, { text, knowledge }, own));
}

/** Shows the draft of a place, or its own text if there is none. */
export function enterPlace(place: string, own: Draft = EMPTY) {
  const shown = useAsk.getState().drafts[place] ?? own;
  useAsk.setState({
    place,
    own,
    text: shown.text,
    knowledge: shown.knowledge,
    knowledgeOpen: shown.knowledge.trim() !== own.knowledge.trim(),
  });
}

/** The draft of a place was sent. One that waited behind an earlier question was not, and stays. */
export function draftSent(place: string | null, sent: Draft) {
  const { drafts, own, place: now } = useAsk.getState();
  if (place === null || drafts[place]?.text !== sent.text) return;
  changeState(withDraft(drafts, place, EMPTY, EMPTY));
  if (now === place) enterPlace(place, own);
}

/** Replaces the draft of a place. Returns the old draft, so that it can be restored. */
export function replaceDraft(place: string, draft: Draft): Draft | null {
  const { drafts, place: now, own } = useAsk.getState();
  const before = drafts[place] ?? null;
  changeState(withDraft(drafts, place, draft, EMPTY));
  if (now === place) enterPlace(place, own);
  return before;
}

const WAIT_MS = 250;
let timer: ReturnType<typeof setTimeout> | null = null;

function changeState(drafts: Record<string, Draft>) {
  if (drafts === useAsk.getState().drafts) return;
  useAsk.setState({ drafts });
  timer ??= setTimeout(rememberDrafts, WAIT_MS);
}

/** Stores the drafts now; while typing, storing is delayed. */
export function rememberDrafts() {
  if (timer === null) return;
  clearTimeout(timer);
  timer = null;
  void host().setPreference("ask.drafts", JSON.stringify(useAsk.getState().drafts));
}

/** Takes over the drafts that another window stored, except of the box that is shown. */
export async function readDraftsAgain() {
  const stored = readDrafts(await host().preference("ask.drafts"));
  const { drafts, place } = useAsk.getState();
  const { [place ?? ""]: _, ...others } = stored;
  const mine = place === null ? undefined : drafts[place];
  useAsk.setState({ drafts: place !== null && mine ? { ...others, [place]: mine } : others });
}

export async function startAsk() {
  const [strategy, model, drafts] = await Promise.all(
    ["ask.strategy", "ask.model", "ask.drafts"].map((key) => host().preference(key)),
  );
  useAsk.setState((now) => ({
    strategy: methodNamed(strategy)?.name ?? null,
    model: model || null,
    drafts: { ...readDrafts(drafts ?? null), ...now.drafts },
  }));
  window.addEventListener("pagehide", rememberDrafts);
  window.addEventListener("blur", rememberDrafts);
}
