// Everything the user interface can ask of the program. Two implementations: the desktop shell (`tauri.ts`) and the
// development host (`http.ts`). Nothing outside this folder touches IPC, fetch or storage.

import type { AppError, AppEvent, Commands } from "./bindings";

/** The commands, the event stream, and what the surroundings offer: preferences, clipboard, windows. */
export interface Host extends Commands {
  /** Calls `onEvent` for each event and `onReconnect` whenever events may have been missed. */
  subscribe(onEvent: (event: AppEvent) => void, onReconnect: () => void): () => void;
  /** A remembered preference of this interface, or null. */
  preference(key: string): Promise<string | null>;
  setPreference(key: string, value: string): Promise<void>;
  /** Puts text on the clipboard; with `html` also for programs that take formatted text. */
  copyText(text: string, html?: string): Promise<void>;
  /** Opens another window at a page: the part of an address from the # on. */
  openWindow(page: string): Promise<void>;
}

/** An `AppError` that is thrown. */
export class AppFailure extends Error {
  readonly app: AppError;
  constructor(app: AppError) {
    super(app.message);
    this.app = app;
  }
}

/** Whatever was thrown, as the error that a person reads. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppFailure) return thrown.app;
  if (isAppError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: "internal",
    message: "Something went wrong in Vitrine itself.",
    hint: "Try again. If it happens every time, restart Vitrine.",
    detail: message,
  };
}

function isAppError(value: unknown): value is AppError {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

let current: Host | null = null;

/** The host in use; set once at start. */
export function host(): Host {
  if (!current) throw new Error("no host");
  return current;
}

export function setHost(next: Host) {
  current = next;
}
