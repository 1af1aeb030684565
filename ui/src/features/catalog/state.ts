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
import { toast, toastError } from "../../kit/toast";

interface Entry {
  catalog: Catalog | null;
  profile: Profile | null;
  /** Keys that the database does not declare. */
  keys: InferredKeyRow[];
  /** How the tables of data files were read. */
  readings: FileReading[];
  error: AppError | null;
}

export const useCatalogs = create<{ entries: Record<string, Entry> }>(() => ({ entries: {} }));

function change(uri: string, part: Partial<Entry>) {
  useCatalogs.setState(({ entries }) => {
    const old = entries[uri] ?? { catalog: null, profile: null, keys: [], readings: [], error: null };
    return { entries: { ...entries, [uri]: { ...old, ...part } } };
  });
}

export async function loadCatalog(uri: string, again = false) {
  const known = useCatalogs.getState().entries[uri];
  if (known?.catalog && !again) return;
  try {
    change(uri, { catalog: await host().catalog(uri), error: null });
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
  toast({ title: t`File read again`, text: table });
}

const DECIDED: Record<KeyDecision | "undecided", string> = {
  get confirmed() {
    return t`Key confirmed`;
  },
  get struck() {
    return t`Key removed`;
  },
  get undecided() {
    return t`Key reset to inferred`;
  },
};

/** Inferred keys are known after the profile; the catalog changes with them. */
export async function loadKeys(uri: string) {
  try {
    await takeKeys(uri, await host().inferredKeys(uri));
  } catch {
    // The catalog is useful without them, and preparation shows its own error.
  }
}

/** Confirms an inferred key, removes it, or leaves it undecided again. */
export async function decideKey(uri: string, row: InferredKeyRow, decision: KeyDecision | null) {
  try {
    await takeKeys(uri, await host().decideKey(uri, row.id, decision));
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
