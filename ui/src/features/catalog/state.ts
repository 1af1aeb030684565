// Catalogs and profiles by address, read once and kept until the data changes.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import type {
  AppError,
  Catalog,
  FileOptions,
  FileReading,
  InferredKeyRow,
  KeyDecision,
  Profile,
} from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { lazyRecord } from "../../kit/lazyRecord";
import { toast, toastError } from "../../kit/toast";

interface Entry {
  /** Of a large warehouse without its tables. */
  catalog: Catalog | null;
  /** True if it has all its tables. */
  whole: boolean;
  /** Number of tables in the warehouse. */
  tables: number;
  /** Changes when what was asked of a large warehouse may be answered otherwise now. */
  revision: number;
  profile: Profile | null;
  /** Keys that the database does not declare; of a large warehouse they come with their tables. */
  keys: InferredKeyRow[];
  /** Reading options and results of data files. */
  readings: FileReading[];
  error: AppError | null;
}

export const useCatalogs = create<{ entries: Record<string, Entry> }>(() => ({ entries: {} }));

/** The entry of a warehouse that has not been read yet. */
export const NOTHING: Entry = {
  catalog: null,
  whole: true,
  tables: 0,
  revision: 0,
  profile: null,
  keys: [],
  readings: [],
  error: null,
};

function change(uri: string, part: Partial<Entry>) {
  useCatalogs.setState(({ entries }) => {
    const old = entries[uri] ?? NOTHING;
    return { entries: { ...entries, [uri]: { ...old, ...part } } };
  });
}

const revisionOf = (uri: string) => useCatalogs.getState().entries[uri]?.revision ?? 0;

/** Catalogs that are on their way. */
const coming = new Map<string, Promise<void>>();

export async function loadCatalog(uri: string, again = false) {
  const known = useCatalogs.getState().entries[uri];
  if (known?.catalog && !again) return;
  const before = again ? undefined : coming.get(uri);
  if (before) return before;
  const reading = readCatalog(uri).finally(() => coming.get(uri) === reading && coming.delete(uri));
  coming.set(uri, reading);
  return reading;
}

async function readCatalog(uri: string) {
  try {
    const { catalog, whole, tables } = await host().catalog(uri);
    change(uri, { catalog, whole, tables, revision: revisionOf(uri) + 1, error: null });
  } catch (thrown) {
    change(uri, { error: toAppError(thrown) });
  }
}

/** The profile grows while the data is prepared; it is read again until complete. */
export async function loadProfile(uri: string) {
  if (useCatalogs.getState().entries[uri]?.profile?.complete) return;
  try {
    change(uri, { profile: await host().profile(uri) });
  } catch {
    // The catalog is useful without it, and preparation shows its own error.
  }
}

export async function loadReadings(uri: string) {
  try {
    change(uri, { readings: await host().fileReadings(uri) });
  } catch {
    // The catalog shows why the file cannot be read.
  }
}

/** Reads a table's file as the user says; everything known of the warehouse is read again. */
export async function readFileAs(uri: string, table: string, options: FileOptions) {
  const readings = await host().readFileAs(uri, table, options);
  change(uri, { readings, profile: null });
  await loadCatalog(uri, true);
  void loadProfile(uri);
  toast({ title: t`File reloaded`, text: table });
}

const DECIDED: Record<KeyDecision | "undecided", string> = lazyRecord({
  confirmed: () => t`Key confirmed`,
  struck: () => t`Key removed`,
  undecided: () => t`Key reset to inferred`,
});

/** Inferred keys are known after the profile; the catalog changes with them. */
export async function loadKeys(uri: string) {
  // A catalog that is not loaded yet may be large.
  await loadCatalog(uri);
  if (!useCatalogs.getState().entries[uri]?.whole) return change(uri, { revision: revisionOf(uri) + 1 });
  try {
    await takeKeys(uri, await host().inferredKeys(uri));
  } catch {
    // The catalog is useful without them, and preparation shows its own error.
  }
}

/** Confirms an inferred key, removes it, or leaves it undecided again. */
export async function decideKey(uri: string, row: InferredKeyRow, decision: KeyDecision | null) {
  try {
    await host().decideKey(uri, row.id, decision);
    await loadKeys(uri);
    const undo = { label: t`Undo`, run: () => void decideKey(uri, { ...row, decision }, row.decision) };
    toast({ title: DECIDED[decision ?? "undecided"], text: row.id, actions: [undo] });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

async function takeKeys(uri: string, keys: InferredKeyRow[]) {
  const known = useCatalogs.getState().entries[uri]?.keys ?? [];
  if (JSON.stringify(known) === JSON.stringify(keys)) return;
  change(uri, { keys });
  await loadCatalog(uri, true);
}

/** Drops a catalog if the warehouse was opened again and has changed. */
export function forgetCatalog(uri: string, fingerprint: string) {
  const known = useCatalogs.getState().entries[uri];
  if (known?.catalog && known.catalog.fingerprint !== fingerprint) {
    useCatalogs.setState(({ entries }) => {
      const { [uri]: _, ...rest } = entries;
      return { entries: rest };
    });
  }
}
