// The open warehouse, recent ones, and the progress of their preparation.

import { create } from "zustand";
import type { AppError, Preparation, WarehouseEntry, WarehouseSummary } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toastError } from "../../kit/toast";

interface ConnectionsState {
  entries: WarehouseEntry[];
  /** True until it is decided what to open first. */
  starting: boolean;
  current: WarehouseSummary | null;
  opening: string | null;
  /** Number of openings that the user stopped. */
  stops: number;
  /** The last failed attempt to open a warehouse. */
  failure: { uri: string; error: AppError } | null;
  preparations: Record<string, Preparation>;
  dialog: boolean;
  /** Addresses taken off the list, until the list is left: only then are they forgotten, with their passwords. */
  leaving: string[];
}

export const useConnections = create<ConnectionsState>(() => ({
  entries: [],
  starting: true,
  current: null,
  opening: null,
  stops: 0,
  failure: null,
  preparations: {},
  dialog: false,
  leaving: [],
}));

export async function loadWarehouses() {
  try {
    useConnections.setState({ entries: await host().warehouses() });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** The password typed for a server, or the passphrase of the key to it, and whether the keychain stores it. */
export interface Login {
  password: string;
  /** It opens a key. */
  opensKey?: boolean;
  remember: boolean;
}

/** Counts what was opened or stopped: only the last attempt may still say how it ended. */
let attempt = 0;

/** Opens a warehouse and makes it the current one. True on success. */
export async function openWarehouse(uri: string, login?: Login): Promise<boolean> {
  const before = useConnections.getState().opening;
  if (before !== null && before !== uri) stopAtHost(before);
  attempt += 1;
  const mine = attempt;
  keepListed(uri);
  useConnections.setState({ starting: false, opening: uri, failure: null });
  try {
    if (login?.opensKey) await host().unlockKey(uri, login.password);
    else if (login) await host().signIn(uri, login.password);
    if (attempt !== mine) return false;
    const current = await host().openWarehouse(uri);
    if (attempt !== mine) return false;
    useConnections.setState((s) => ({
      current,
      opening: null,
      // Events may have reported progress of this opening in the meantime.
      preparations: current.preparation.begun
        ? { ...s.preparations, [current.uri]: s.preparations[current.uri] ?? current.preparation }
        : { ...s.preparations, [current.uri]: current.preparation },
    }));
    void host().setPreference("warehouse", current.uri);
    void loadWarehouses();
    // The warehouse is open; a failure to store the password is only a message.
    if (login?.remember)
      host()
        .rememberPassword(uri)
        .catch((thrown) => toastError(toAppError(thrown)));
    return true;
  } catch (thrown) {
    if (attempt === mine) {
      const error = toAppError(thrown);
      // Another window may have stopped it.
      const stopped = error.code === "cancelled";
      useConnections.setState({ opening: null, failure: stopped ? null : { uri, error } });
      // The dialog asks for it.
      if (error.code === "password" || error.code === "passphrase") useConnections.setState({ dialog: true });
    }
    return false;
  }
}

/** Opens a warehouse; if that fails, the dialog says why and asks for what is missing. True on success. */
export async function openOrAsk(uri: string): Promise<boolean> {
  if (await openWarehouse(uri)) return true;
  // A user who stopped it needs no dialog.
  if (useConnections.getState().failure) useConnections.setState({ dialog: true });
  return false;
}

function stopAtHost(uri: string) {
  host()
    .stopOpening(uri)
    .catch((thrown) => toastError(toAppError(thrown)));
}

/** Stops what is being opened: the host cuts its connections. False where nothing is. */
export function stopOpening(): boolean {
  const { opening } = useConnections.getState();
  if (opening === null) return false;
  attempt += 1;
  useConnections.setState((s) => ({ opening: null, stops: s.stops + 1 }));
  stopAtHost(opening);
  return true;
}

/**
 * Waits for what is being opened; resolves to what is open then. Never to what was open before: "stopped" where the user stopped it or
 * opened something else instead, "failed" where it could not be opened.
 */
export function waitForOpening(): Promise<WarehouseSummary | "stopped" | "failed" | null> {
  const busy = () => useConnections.getState().starting || useConnections.getState().opening !== null;
  if (!busy()) return Promise.resolve(useConnections.getState().current);
  const { stops } = useConnections.getState();
  let { opening: meant } = useConnections.getState();
  return new Promise((resolve) => {
    const leave = useConnections.subscribe((state) => {
      meant ??= state.opening;
      const other = state.opening !== null && state.opening !== meant;
      if (busy() && !other) return;
      leave();
      if (other || state.stops !== stops) resolve("stopped");
      else resolve(state.failure ? "failed" : state.current);
    });
  });
}

/** Shows a warehouse that is to be forgotten as closed; what is returned brings it back, unless another was opened meanwhile. */
export function showClosed(uri: string): () => void {
  const { current } = useConnections.getState();
  if (current?.uri !== uri) return () => {};
  useConnections.setState({ current: null });
  return () => useConnections.setState((s) => (s.current === null && s.opening === null ? { current } : {}));
}

/** Takes an address off the list. That can be taken back until the list is left. */
export function takeOffList(uri: string) {
  useConnections.setState((s) => ({ leaving: [...s.leaving, uri] }));
}

/** Takes that back; what is opened again is kept, too. */
export function keepListed(uri: string) {
  useConnections.setState((s) => ({ leaving: s.leaving.filter((other) => other !== uri) }));
}

/** Forgets what was taken off the list, with its password unless a connection has it. */
async function forgetLeaving() {
  const { leaving } = useConnections.getState();
  if (leaving.length === 0) return;
  useConnections.setState((s) => ({
    leaving: [],
    entries: s.entries.filter((entry) => !leaving.includes(entry.uri)),
  }));
  for (const { uri, reopen } of leaving.map((uri) => ({ uri, reopen: showClosed(uri) }))) {
    try {
      await host().forgetWarehouse(uri);
    } catch (thrown) {
      reopen();
      toastError(toAppError(thrown));
    }
  }
  await loadWarehouses();
}

export function takePreparation(preparation: Preparation) {
  useConnections.setState((s) => ({ preparations: { ...s.preparations, [preparation.uri]: preparation } }));
}

/** Starts or resumes reading profile and values. */
export async function startPreparation(uri: string) {
  try {
    takePreparation(await host().startPreparation(uri));
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** Pauses that; a query that runs already ends first. */
export async function pausePreparation(uri: string) {
  try {
    takePreparation(await host().pausePreparation(uri));
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

export function showOpenDialog(dialog: boolean) {
  if (!dialog) void forgetLeaving();
  // A failure that the dialog already shows stays.
  useConnections.setState((s) => (dialog && !s.dialog ? { dialog, failure: null } : { dialog }));
}
