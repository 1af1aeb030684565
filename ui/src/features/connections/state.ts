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
  /** The last failed attempt to open a warehouse. */
  failure: { uri: string; error: AppError } | null;
  preparations: Record<string, Preparation>;
  dialog: boolean;
}

export const useConnections = create<ConnectionsState>(() => ({
  entries: [],
  starting: true,
  current: null,
  opening: null,
  failure: null,
  preparations: {},
  dialog: false,
}));

export async function loadWarehouses() {
  try {
    useConnections.setState({ entries: await host().warehouses() });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

/** The password typed for a server, and whether the keychain stores it. */
export interface Login {
  password: string;
  remember: boolean;
}

/** Opens a warehouse and makes it the current one. True on success. */
export async function openWarehouse(uri: string, login?: Login): Promise<boolean> {
  useConnections.setState({ starting: false, opening: uri, failure: null });
  try {
    if (login) await host().signIn(uri, login.password);
    const current = await host().openWarehouse(uri);
    if (useConnections.getState().opening !== uri) return false;
    useConnections.setState((s) => ({
      current,
      opening: null,
      // Events may have told more meanwhile, of what this opening has begun.
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
    if (useConnections.getState().opening === uri) {
      const error = toAppError(thrown);
      useConnections.setState({ opening: null, failure: { uri, error } });
      // The dialog asks for the password.
      if (error.code === "password") useConnections.setState({ dialog: true });
    }
    return false;
  }
}

/** Waits for what is being opened; resolves to what is open then. */
export function opened(): Promise<WarehouseSummary | null> {
  const busy = () => useConnections.getState().starting || useConnections.getState().opening !== null;
  if (!busy()) return Promise.resolve(useConnections.getState().current);
  return new Promise((resolve) => {
    const stop = useConnections.subscribe((state) => {
      if (busy()) return;
      stop();
      resolve(state.current);
    });
  });
}

export async function forgetWarehouse(uri: string) {
  try {
    await host().forgetWarehouse(uri);
    await loadWarehouses();
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

export function takePreparation(preparation: Preparation) {
  useConnections.setState((s) => ({ preparations: { ...s.preparations, [preparation.uri]: preparation } }));
}

/** Begins to read profile and values, or goes on where that was paused. */
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
  // A failure that the dialog already shows stays.
  useConnections.setState((s) => (dialog && !s.dialog ? { dialog, failure: null } : { dialog }));
}
