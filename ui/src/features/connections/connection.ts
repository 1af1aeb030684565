// The connections and the one that is being edited.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import { engineAt, engineNamed } from "../../domain/engines";
import type {
  AppError,
  Connection,
  ConnectionDraft,
  ConnectionSettings,
  Environment,
  WarehouseKind,
} from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toast, toastError } from "../../kit/toast";
import { undoable } from "../../kit/undo";
import { showClosed, useConnections } from "./state";
import { forgetTest } from "./testing";
import { isServer } from "./words";

interface ListState {
  list: Connection[];
  /** Removed, until the undo has run out. */
  hidden: string[];
  status: "loading" | "ready" | "failed";
  error: AppError | null;
}

export const useConnectionList = create<ListState>(() => ({ list: [], hidden: [], status: "loading", error: null }));

export async function loadConnections() {
  try {
    useConnectionList.setState({ list: await host().connections(), status: "ready", error: null });
  } catch (thrown) {
    useConnectionList.setState({ status: "failed", error: toAppError(thrown) });
  }
}

/** Removes a connection after its undo has run out. One that is open is closed at once; opened again meanwhile, it is kept. */
export function removeConnection(connection: Connection, onRemoved: () => void) {
  const isOpen = () => useConnections.getState().current?.uri === connection.address;
  const title = isOpen() ? t`${connection.name} closed and removed` : t`${connection.name} removed`;
  useConnectionList.setState((s) => ({ hidden: [...s.hidden, connection.id] }));
  const reopen = showClosed(connection.address);
  const show = () => useConnectionList.setState((s) => ({ hidden: s.hidden.filter((id) => id !== connection.id) }));
  undoable({
    title,
    undo: () => {
      show();
      reopen();
    },
    commit: () => {
      if (isOpen()) return show();
      void host()
        .removeConnection(connection.id)
        .then(loadConnections)
        .then(onRemoved)
        .catch((thrown) => {
          reopen();
          toastError(toAppError(thrown));
        })
        .finally(show);
    },
  });
}

/** The defaults of a new connection; the same as in the backend. */
export const NEW_SETTINGS: ConnectionSettings = {
  readAhead: true,
  requireApproval: false,
  previews: { rows: 1_000, tables: 500, statisticsBytes: 0 },
  scans: { price: null, question: null, month: { bytes: null, money: null } },
};

/** A connection in the form. */
export interface Editing {
  id: string | null;
  kind: WarehouseKind;
  name: string;
  /** The values of the engine's form. */
  values: Record<string, string>;
  /** The address that the form says; empty where something is missing. */
  address: string;
  /** The message about a missing or invalid value. */
  missing: string | null;
  /** The address as it is written, where the form cannot hold its parts. */
  written: string | null;
  /** True if the form can hold it after all. */
  fits: boolean;
  password: string;
  remember: boolean;
  environment: Environment | null;
  schemas: string[];
  settings: ConnectionSettings;
  saving: boolean;
  error: AppError | null;
}

export const useEditing = create<{ editing: Editing | null }>(() => ({ editing: null }));

/** Begins a new connection of that kind, or to an address that was opened before. */
export async function startEditing(kind: WarehouseKind, uri = "", title = "") {
  forgetTest();
  const editing = { ...newEditing(kind), name: title };
  useEditing.setState({ editing });
  await (uri === "" ? changeValues({}) : fillFrom(uri));
}

/** Edits a connection. */
export async function editConnection(connection: Connection) {
  forgetTest();
  useEditing.setState({
    editing: {
      ...newEditing(kindOf(connection.address)),
      id: connection.id,
      name: connection.name,
      environment: connection.environment,
      schemas: connection.schemas,
      settings: connection.settings,
    },
  });
  await fillFrom(connection.address);
}

export function stopEditing() {
  forgetTest();
  useEditing.setState({ editing: null });
}

export function changeEditing(part: Partial<Editing>) {
  useEditing.setState((s) => (s.editing ? { editing: { ...s.editing, error: null, ...part } } : s));
}

/** Changes values of the form; then the address is written anew. */
export async function changeValues(part: Record<string, string>) {
  const { editing } = useEditing.getState();
  if (!editing) return;
  const values = { ...editing.values, ...part };
  changeEditing({ values });
  try {
    const { address, missing } = await host().writeAddress(editing.kind, values);
    // Only the address of the latest values counts.
    if (useEditing.getState().editing?.values === values) changeEditing({ address, missing });
  } catch (thrown) {
    changeEditing({ address: "", error: toAppError(thrown) });
  }
}

/** Changes the address that the form cannot hold. */
export async function changeWritten(written: string) {
  changeEditing({ written, address: written.trim(), missing: null, fits: false });
  const { values } = await host().parseAddress(written);
  if (useEditing.getState().editing?.written === written) changeEditing({ fits: values !== null });
}

/** Fills the form from an address; the password goes into its own field. */
async function fillFrom(text: string) {
  const { kind, address, password, values } = await host().parseAddress(text);
  const { editing } = useEditing.getState();
  if (!editing) return;
  changeEditing({ kind: kind ?? editing.kind, ...(password === "" ? {} : { password }) });
  if (values === null) return changeWritten(address);
  changeEditing({ written: null, values: { ...newValues(kind ?? editing.kind), ...values } });
  await changeValues({});
}

/** Fills the form from a pasted address of a server or project. */
export async function pasteAddress(text: string) {
  if (isPastable(text)) await fillFrom(text);
}

/** Returns whether a typed text is a whole address. */
export function isPastable(text: string): boolean {
  return isServer(text) || engineAt(text)?.place === "project";
}

/** Returns whether an engine's form is that of a server with a host, a port and encryption. */
export function isOnServer(kind: WarehouseKind): boolean {
  return engineNamed(kind)?.fields.some((field) => field.name === "protection") ?? false;
}

export function kindOf(address: string): WarehouseKind {
  return engineAt(address)?.kind ?? "file";
}

/** The values of a new form. */
function newValues(kind: WarehouseKind): Record<string, string> {
  const fields = engineNamed(kind)?.fields ?? [];
  return Object.fromEntries(
    fields.filter((field) => field.default !== "").map(({ name, default: own }) => [name, own]),
  );
}

function newEditing(kind: WarehouseKind): Editing {
  return {
    id: null,
    kind,
    name: "",
    values: newValues(kind),
    address: "",
    missing: null,
    written: null,
    fits: false,
    password: "",
    remember: true,
    environment: null,
    schemas: [],
    settings: NEW_SETTINGS,
    saving: false,
    error: null,
  };
}

/** Returns the message about what prevents saving the form, or null. */
export function missingDetail(editing: Editing): string | null {
  if (editing.address === "") return editing.missing ?? t`Enter a host.`;
  if (editing.name.trim() === "") return t`Enter a name.`;
  return null;
}

/** Saves the form; gives the connection, or null where that failed, which the form then says. */
export async function saveEditing(): Promise<Connection | null> {
  const { editing } = useEditing.getState();
  if (!editing || editing.saving || missingDetail(editing)) return null;
  changeEditing({ saving: true });
  const draft: ConnectionDraft = {
    id: editing.id,
    name: editing.name.trim(),
    address: editing.address,
    environment: editing.environment,
    schemas: editing.schemas,
    settings: editing.settings,
    password: editing.password === "" ? null : editing.password,
    remember: editing.remember,
  };
  try {
    const kept = await host().keepConnection(draft);
    if (kept.note) {
      toast({
        title: t`The password is kept only until Vitrine is closed.`,
        text: kept.note,
        life: 12_000,
      });
    }
    await loadConnections();
    stopEditing();
    return kept.connection;
  } catch (thrown) {
    changeEditing({ saving: false, error: toAppError(thrown) });
    return null;
  }
}
