// The connections and the one that is being edited.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
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
import { type AccountParts, accountAddress, accountOf, isAccount, missingField, NO_ACCOUNT } from "./account";
import {
  addressOf,
  NO_PARTS,
  partsOf,
  protectionsOf,
  type ServerParts,
  type ServerScheme,
  schemeOf,
} from "./address";
import { type DriverParts, driverAddress, driverOf, isDriver, lackingOfDriver, NO_DRIVER } from "./driver";
import {
  isEndpoint,
  isMotherduck,
  lackingOfMotherduck,
  type MotherduckParts,
  motherduckAddress,
  motherduckOf,
  NO_MOTHERDUCK,
} from "./motherduck";
import { isProject, NO_PROJECT, type ProjectParts, projectAddress, projectOf } from "./project";
import { showClosed, useConnections } from "./state";
import { forgetTest } from "./testing";
import { isServer, pathOf, splitPassword, uriFor } from "./words";
import {
  isWorkspace,
  lackingOfWorkspace,
  NO_WORKSPACE,
  type WorkspaceParts,
  workspaceAddress,
  workspaceOf,
} from "./workspace";

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
  previews: { rows: 1_000, tables: 500 },
  scans: { price: null, question: null, month: { bytes: null, money: null } },
};

/** A connection in the form. */
export interface Editing {
  id: string | null;
  kind: WarehouseKind;
  name: string;
  /** Of a file or a folder. */
  path: string;
  parts: ServerParts;
  /** Of BigQuery. */
  project: ProjectParts;
  /** Of Snowflake. */
  account: AccountParts;
  /** Of Databricks. */
  workspace: WorkspaceParts;
  /** Of MotherDuck. */
  motherduck: MotherduckParts;
  /** Of a driver that the user added. */
  driver: DriverParts;
  /** The address as it is written, where the form cannot hold its parts. */
  written: string | null;
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
export function startEditing(kind: WarehouseKind, uri = "", title = "") {
  forgetTest();
  useEditing.setState({ editing: { ...fillFields(kind, uri), name: title } });
}

/** Edits a connection. */
export function editConnection(connection: Connection) {
  forgetTest();
  useEditing.setState({
    editing: {
      ...fillFields(kindOf(connection.address), connection.address),
      id: connection.id,
      name: connection.name,
      environment: connection.environment,
      schemas: connection.schemas,
      settings: connection.settings,
    },
  });
}

export function stopEditing() {
  forgetTest();
  useEditing.setState({ editing: null });
}

export function changeEditing(part: Partial<Editing>) {
  useEditing.setState((s) => (s.editing ? { editing: { ...s.editing, error: null, ...part } } : s));
}

/** Fills the form from a pasted address; the password goes into its own field. */
export function pasteAddress(text: string) {
  const { address, password } = splitPassword(uriFor(null, text));
  if (!isServer(address)) return;
  const secret = password === "" ? {} : { password };
  if (isDriver(address)) return changeEditing({ kind: "adbc", driver: driverOf(address), ...secret });
  if (isAccount(address)) return changeEditing({ kind: "snowflake", account: accountOf(address), ...secret });
  if (isWorkspace(address)) return changeEditing({ kind: "databricks", workspace: workspaceOf(address), ...secret });
  if (isMotherduck(address) || isEndpoint(address))
    return changeEditing({ kind: "motherduck", motherduck: motherduckOf(address), ...secret });
  const parts = partsOf(address);
  changeEditing({
    kind: kindOf(address),
    ...(parts ? { parts, written: null } : { written: address }),
    ...secret,
  });
}

/** Returns whether an engine's databases are on servers. */
export function isOnServer(kind: WarehouseKind): boolean {
  return kind === "postgres" || kind === "mysql" || kind === "clickhouse";
}

/** The engines of servers. */
const KINDS: Record<ServerScheme, WarehouseKind> = {
  postgresql: "postgres",
  mysql: "mysql",
  clickhouse: "clickhouse",
};

export function kindOf(address: string): WarehouseKind {
  if (isProject(address)) return "bigquery";
  if (isAccount(address)) return "snowflake";
  if (isWorkspace(address)) return "databricks";
  if (isMotherduck(address)) return "motherduck";
  if (isDriver(address)) return "adbc";
  if (isServer(address)) return KINDS[schemeOf(address.trim())];
  const scheme = address.split(":")[0];
  return (["sqlite", "duckdb", "ddl"] as const).find((kind) => kind === scheme) ?? "file";
}

function fillFields(kind: WarehouseKind, uri: string): Editing {
  const scheme = schemeOf(kind);
  const empty: ServerParts = {
    ...NO_PARTS,
    scheme,
    protection: protectionsOf(scheme).includes("prefer") ? "prefer" : "verify-full",
  };
  const parts = uri === "" ? empty : partsOf(uri);
  return {
    id: null,
    kind,
    name: "",
    path:
      isOnServer(kind) || ["bigquery", "snowflake", "databricks", "motherduck", "adbc"].includes(kind)
        ? ""
        : pathOf(uri),
    parts: parts ?? empty,
    project: kind === "bigquery" ? projectOf(uri) : NO_PROJECT,
    account: kind === "snowflake" ? accountOf(uri) : NO_ACCOUNT,
    workspace: kind === "databricks" ? workspaceOf(uri) : NO_WORKSPACE,
    motherduck: kind === "motherduck" ? motherduckOf(uri) : NO_MOTHERDUCK,
    driver: kind === "adbc" ? driverOf(uri) : NO_DRIVER,
    written: isOnServer(kind) && uri !== "" && !parts ? uri : null,
    password: "",
    remember: true,
    environment: null,
    schemas: [],
    settings: NEW_SETTINGS,
    saving: false,
    error: null,
  };
}

/** The address that the form says; empty where something is missing. */
export function addressOfEditing(editing: Editing): string {
  if (editing.kind === "bigquery")
    return editing.project.project.trim() === "" ? "" : projectAddress(editing.project);
  if (editing.kind === "snowflake") return missingField(editing.account) ? "" : accountAddress(editing.account);
  if (editing.kind === "databricks")
    return lackingOfWorkspace(editing.workspace) ? "" : workspaceAddress(editing.workspace);
  if (editing.kind === "motherduck")
    return lackingOfMotherduck(editing.motherduck) ? "" : motherduckAddress(editing.motherduck);
  if (editing.kind === "adbc") return lackingOfDriver(editing.driver) ? "" : driverAddress(editing.driver);
  if (!isOnServer(editing.kind)) return editing.path.trim() === "" ? "" : uriFor(editing.kind, editing.path);
  if (editing.written !== null) return editing.written;
  return editing.parts.host.trim() === "" ? "" : addressOf(editing.parts);
}

/** Returns the message about what prevents saving the form, or null. */
export function missingDetail(editing: Editing): string | null {
  if (addressOfEditing(editing) === "") {
    if (editing.kind === "bigquery") return t`Enter a project.`;
    if (editing.kind === "snowflake") return missingField(editing.account);
    if (editing.kind === "databricks") return lackingOfWorkspace(editing.workspace);
    if (editing.kind === "motherduck") return lackingOfMotherduck(editing.motherduck);
    if (editing.kind === "adbc") return lackingOfDriver(editing.driver);
    return isOnServer(editing.kind) ? t`Enter a host.` : t`Choose a file.`;
  }
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
    address: addressOfEditing(editing),
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
