// The tour: three steps over the real window, offered once on the first start, and again whenever the user asks for it.

import { create } from "zustand";
import { openWarehouse, useConnections } from "../features/connections/state";
import { useRuns } from "../features/runs/state";
import { useSettings } from "../features/settings/state";
import { host } from "../host/host";
import { navigate, type Route, useRoute } from "../navigation/route";
import { askThis } from "../run/startRun";

/** The steps, named by the part of the window (`data-tour`) that they point to. */
export const TOUR = ["ask", "answer", "keep"] as const;

interface TourState {
  /** The step that is shown; null while there is no tour. */
  step: number | null;
  /** The run that the later steps are about. */
  runId: string | null;
  /** The tour changes the page automatically. */
  moving: boolean;
  /** True if it was shown before; null until that is known. */
  shown: boolean | null;
}

export const useTour = create<TourState>(() => ({ step: null, runId: null, moving: false, shown: null }));

export async function readTour() {
  useTour.setState({ shown: (await host().preference("tour")) !== null });
}

/** An answer about the open warehouse that can be shown without asking anything. */
function isAnswered(): string | undefined {
  const uri = useConnections.getState().current?.uri;
  return useRuns.getState().list.find((run) => run.warehouse === uri && run.status === "answered")?.runId;
}

/** The question that the tour asks where nothing was answered yet. */
export function sampleQuestion(): string | undefined {
  return useConnections.getState().current?.questions[0]?.question;
}

/** Begins with the first step: on the open warehouse, or on the sample where nothing can be asked of that. */
export async function startTour() {
  useTour.setState({ shown: true });
  void host().setPreference("tour", "shown");
  const { current } = useConnections.getState();
  if (!current || current.kind === "ddl" || !(isAnswered() ?? sampleQuestion())) {
    const sample = useSettings.getState().info?.sampleUri;
    if (!sample || !(await openWarehouse(sample))) return;
  }
  navigate({ page: "ask" });
  useTour.setState({ step: 0, runId: null, moving: false });
}

export function endTour() {
  useTour.setState({ step: null, runId: null, moving: false });
}

export async function nextStep() {
  const { step } = useTour.getState();
  if (step === null) return;
  if (step > 0) {
    if (step + 1 < TOUR.length) useTour.setState({ step: step + 1 });
    else endTour();
    return;
  }
  useTour.setState({ moving: true });
  const known = isAnswered();
  const question = sampleQuestion();
  if (known) navigate({ page: "run", runId: known, tab: "answer" });
  else if (question) await askThis(question);
  const { route } = useRoute.getState();
  // It was ended meanwhile, or the question could not be asked: the page says why.
  if (useTour.getState().step !== 0 || route.page !== "run") endTour();
  else useTour.setState({ step: 1, runId: route.runId, moving: false });
}

/** Returns whether the page is still the one that the step is about. */
export function onItsPage(route: Route, { step, runId, moving }: TourState): boolean {
  if (moving) return true;
  if (step === 0) return route.page === "ask";
  return route.page === "run" && route.runId === runId && route.tab === "answer";
}

/** Parts that a person works with: pressing one that the step is not about ends the tour. */
const PARTS = "button, a, input, textarea, select, [role='tab'], [role='row'], [role='separator'], [contenteditable]";

/** Returns whether an event tells that the person has begun to work. */
export function isWork(target: EventTarget | null, type: string, at: Element | null): boolean {
  const element = target instanceof Element ? target : null;
  if (!element || element.closest("[data-tour-card]")) return false;
  if (type === "input") return true;
  return !at?.contains(element) && element.closest(PARTS) !== null;
}
