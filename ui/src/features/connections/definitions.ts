// The definitions of a database while they are edited.

import { plural, t } from "@lingui/core/macro";
import { create } from "zustand";
import type { AppError, Definition, DefinitionImport, Definitions } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toast, toastError } from "../../kit/toast";

interface State {
  /** As it is kept, by address. */
  kept: Record<string, Definitions>;
  /** The definitions found by an import, before they are imported. */
  found: { uri: string; from: string; read: DefinitionImport } | null;
  /** Why an import failed. */
  failed: AppError | null;
  reading: boolean;
}

export const useDefinitions = create<State>(() => ({ kept: {}, found: null, failed: null, reading: false }));

export async function loadDefinitions(uri: string) {
  try {
    importDefinitions(uri, await host().definitions(uri));
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

function importDefinitions(uri: string, known: Definitions) {
  useDefinitions.setState((s) => ({ kept: { ...s.kept, [uri]: known } }));
}

/** Keeps definitions; true on success. */
export async function keepDefinitions(uri: string, known: Definitions): Promise<boolean> {
  try {
    importDefinitions(uri, await host().setDefinitions(uri, known));
    return true;
  } catch (thrown) {
    toastError(toAppError(thrown));
    return false;
  }
}

/** Adds a text to the context of every question of a database; returns the previous definitions, or null on failure. */
export async function addToText(uri: string, text: string): Promise<Definitions | null> {
  try {
    const before = await host().definitions(uri);
    const next = [before.text.trim(), text.trim()].filter(Boolean).join("\n\n");
    return (await keepDefinitions(uri, { ...before, text: next })) ? before : null;
  } catch (thrown) {
    toastError(toAppError(thrown));
    return null;
  }
}

/** Removes a definition, with an undo. */
export async function removeDefinition(uri: string, definition: Definition) {
  const before = useDefinitions.getState().kept[uri];
  if (!before) return;
  const entries = before.entries.filter((entry) => entry !== definition);
  if (!(await keepDefinitions(uri, { ...before, entries }))) return;
  toast({
    title: t`Definition of ${definition.term} removed`,
    actions: [{ label: t`Undo`, run: () => void keepDefinitions(uri, before) }],
  });
}

/** Reads definitions from a file of dbt, or from the database's comments where there is no path. */
export async function readDefinitions(uri: string, path: string | null) {
  useDefinitions.setState({ reading: true, failed: null, found: null });
  try {
    const read = await host().importDefinitions(uri, path);
    useDefinitions.setState({
      reading: false,
      found: { uri, from: path === null ? t`the database's comments` : path, read },
    });
  } catch (thrown) {
    useDefinitions.setState({ reading: false, failed: toAppError(thrown) });
  }
}

/** Takes over what was found. */
export async function takeOver() {
  const { found, kept } = useDefinitions.getState();
  if (!found) return;
  const before = kept[found.uri] ?? { text: "", entries: [] };
  const entries = [...before.entries, ...found.read.found];
  if (!(await keepDefinitions(found.uri, { ...before, entries }))) return;
  useDefinitions.setState({ found: null });
  toast({
    tone: "good",
    title: t`${plural(found.read.found.length, { one: "# definition", other: "# definitions" })} imported`,
    actions: [{ label: t`Undo`, run: () => void keepDefinitions(found.uri, before) }],
  });
}

export function dismissImport() {
  useDefinitions.setState({ found: null, failed: null });
}
