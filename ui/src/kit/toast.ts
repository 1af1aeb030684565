// Short messages in the corner: a result, an undo, a running job.

import type { ReactNode } from "react";
import { create } from "zustand";
import type { AppError } from "../host/bindings";
import { host } from "../host/host";

export interface ToastAction {
  label: string;
  run: () => void;
  keepOpen?: boolean;
}

export interface Toast {
  id: string;
  tone: "plain" | "good" | "bad" | "busy";
  title: string;
  text?: ReactNode;
  progress?: number | null;
  actions?: ToastAction[];
  /** The name of the file that was written: once another was, this message keeps to one line. */
  file?: string;
  /** Milliseconds until it closes; null keeps it open. */
  life: number | null;
  /** It closed by its time, by hand or for want of room, and by none of its actions. */
  onGone?: () => void;
}

/** Durations of messages: some users read slowly or need time to reach a button. */
const STAYS = { usual: 1, long: 10, always: Number.POSITIVE_INFINITY } as const;
export type ToastDuration = keyof typeof STAYS;

interface Toasts {
  items: Toast[];
  stay: ToastDuration;
}

export const useToasts = create<Toasts>(() => ({ items: [], stay: "usual" }));

const STAY = "messages";

export async function startToasts() {
  const kept = await host().preference(STAY);
  if (kept !== null && kept in STAYS) useToasts.setState({ stay: kept as ToastDuration });
}

export function setStay(stay: ToastDuration) {
  useToasts.setState({ stay });
  void host().setPreference(STAY, stay);
}

let last = 0;

/** Maximum number of messages on screen. */
const MOST = 5;

/** Multiplies how long messages stay, so that tests on a slow machine can still see them. */
export const patience = { times: 1 };

/** The time that a message has left, and what keeps it from passing. */
interface Clock {
  left: number;
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  holds: Set<ToastHold>;
}

/** The pointer is over it, the focus is in it, or the window is not seen. */
type ToastHold = "pointer" | "focus" | "hidden";

/** Minimum time a message stays after the pointer leaves it, in milliseconds. */
const LEAST_MS = 2_000;

const clocks = new Map<string, Clock>();

function startTimer(id: string) {
  const clock = clocks.get(id);
  if (!clock || clock.timer !== undefined || clock.holds.size > 0 || !Number.isFinite(clock.left)) return;
  clock.since = Date.now();
  clock.timer = setTimeout(() => dismissToast(id), clock.left);
}

function pauseTimer(clock: Clock) {
  if (clock.timer === undefined) return;
  clearTimeout(clock.timer);
  clock.timer = undefined;
  clock.left = Math.max(LEAST_MS, clock.left - (Date.now() - clock.since));
}

/** A message stays while it is pointed at, has the focus, or is not visible; its timer resumes afterwards. */
export function holdToast(id: string, hold: ToastHold, on: boolean) {
  const clock = clocks.get(id);
  if (!clock) return;
  if (on) {
    clock.holds.add(hold);
    pauseTimer(clock);
  } else {
    clock.holds.delete(hold);
    startTimer(id);
  }
}

function restartTimer({ id, life }: Toast) {
  const before = clocks.get(id);
  if (before) pauseTimer(before);
  const left = life === null ? Number.POSITIVE_INFINITY : life * patience.times * STAYS[useToasts.getState().stay];
  const holds = before?.holds ?? new Set<ToastHold>(document.hidden ? ["hidden"] : []);
  clocks.set(id, { left, since: 0, timer: undefined, holds });
  startTimer(id);
}

function remove(id: string) {
  const clock = clocks.get(id);
  if (clock) pauseTimer(clock);
  clocks.delete(id);
  useToasts.setState(({ items }) => ({ items: items.filter((t) => t.id !== id) }));
}

/** Makes room for one more message. Messages without actions go first. */
function makeRoom() {
  const { items } = useToasts.getState();
  if (items.length < MOST) return;
  dismissToast((items.find((item) => !item.actions?.length) ?? items[0]!).id);
}

/** Shows a message, or changes the one with this id. */
export function toast(message: Partial<Toast> & { title: string }): string {
  const id = message.id ?? `toast-${++last}`;
  // A message that asks for a decision stays longer than one that only informs.
  const life = message.tone === "bad" || message.actions?.length ? 10_000 : 5_000;
  const next: Toast = { tone: "plain", life, ...message, id };
  const known = useToasts.getState().items.some((t) => t.id === id);
  if (!known) makeRoom();
  useToasts.setState(({ items }) => ({
    items: known ? items.map((t) => (t.id === id ? next : t)) : [...items, next],
  }));
  restartTimer(next);
  return id;
}

export function toastError(error: AppError, actions?: ToastAction[]) {
  toast({ tone: "bad", title: error.message, text: error.hint ?? undefined, actions });
}

/** Closes a message. */
export function dismissToast(id: string) {
  const gone = useToasts.getState().items.find((t) => t.id === id);
  remove(id);
  gone?.onGone?.();
}

/** Does what a message offers, and closes it unless that keeps it open. */
export function takeAction(id: string, action: ToastAction) {
  action.run();
  if (!action.keepOpen) remove(id);
}
