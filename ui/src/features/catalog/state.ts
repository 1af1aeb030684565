// Catalogs and profiles by address, read once and kept until the data changes.

import { create } from "zustand";
import type { AppError, Catalog, Profile } from "../../host/bindings";
import { host, toAppError } from "../../host/host";

interface Entry {
  catalog: Catalog | null;
  profile: Profile | null;
  error: AppError | null;
}

export const useCatalogs = create<{ entries: Record<string, Entry> }>(() => ({ entries: {} }));

function change(uri: string, part: Partial<Entry>) {
  useCatalogs.setState(({ entries }) => {
    const old = entries[uri] ?? { catalog: null, profile: null, error: null };
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

/** The data was opened again and is not what it was. */
export function forgetCatalog(uri: string, fingerprint: string) {
  const known = useCatalogs.getState().entries[uri];
  if (known?.catalog && known.catalog.fingerprint !== fingerprint) {
    useCatalogs.setState(({ entries }) => {
      const { [uri]: _, ...rest } = entries;
      return { entries: rest };
    });
  }
}
