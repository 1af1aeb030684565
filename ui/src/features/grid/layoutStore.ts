// The looks of grids, by what they show. Those under a name are remembered by the host, too.

import { useEffect, useId, useMemo } from "react";
import { create } from "zustand";
import { onDeletion } from "../../domain/deletions";
import type { ResultColumn } from "../../host/bindings";
import { host } from "../../host/host";
import { type GridLayout, newLayout } from "./layout";
import {
  MAX_LAYOUTS,
  parseSavedLayout,
  partsOf,
  type SavedLayout,
  savedLayoutOf,
  savedLayoutText,
  signatureOf,
} from "./savedLayout";
import type { Sort } from "./sort";

const KEY = "grid.looks";
const WAIT_MS = 300;

export const useGridLayouts = create<{
  looks: Record<string, GridLayout>;
  /** The stored part. */
  kept: Record<string, SavedLayout>;
}>(() => ({ looks: {}, kept: {} }));

/** The look becomes the newest one. */
function setLayout(key: string, look: GridLayout, own: Sort | null, named: boolean) {
  useGridLayouts.setState(({ looks, kept }) => {
    const { [key]: _, ...rest } = looks;
    const { [key]: __, ...others } = kept;
    const newest = <T>(all: Record<string, T>) => Object.fromEntries(Object.entries(all).slice(1 - MAX_LAYOUTS));
    return {
      looks: { ...newest(rest), [key]: look },
      kept: named ? { ...newest(others), [key]: savedLayoutOf(look, own) } : kept,
    };
  });
  if (named) storing ??= setTimeout(storeLayouts, WAIT_MS);
}

let storing: ReturnType<typeof setTimeout> | null = null;

/** Stores the looks now; while an edge is dragged, storing is delayed. */
function storeLayouts() {
  if (storing === null) return;
  clearTimeout(storing);
  storing = null;
  void host().setPreference(KEY, savedLayoutText(useGridLayouts.getState().kept));
}

function forgetLayouts(key: string) {
  useGridLayouts.setState(({ looks: { [key]: _, ...looks } }) => ({ looks }));
}

/** Forgets the looks under a name: what they belong to was deleted. */
function forgetNamed(name: string) {
  const without = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([key]) => partsOf(key)?.name !== name));
  const { looks, kept } = useGridLayouts.getState();
  useGridLayouts.setState({ looks: without(looks), kept: without(kept) });
  storing ??= setTimeout(storeLayouts, WAIT_MS);
}

/** The number formats of a named grid, by column. */
export function chosenFormats(name: string, columns: ResultColumn[]): GridLayout["formats"] {
  const { looks, kept } = useGridLayouts.getState();
  const signature = signatureOf(name, columns);
  const look = looks[signature] ?? kept[signature];
  return look?.exact ? {} : (look?.formats ?? {});
}

/** Also of another window, when this one gets the focus. What this one has not stored yet stays. */
export async function readLayouts() {
  const kept = parseSavedLayout((await host().preference(KEY)) ?? null);
  useGridLayouts.setState((now) => ({ kept: storing === null ? kept : { ...kept, ...now.kept } }));
}

export async function startLayouts() {
  onDeletion(forgetNamed);
  window.addEventListener("pagehide", storeLayouts);
  await readLayouts();
}

/**
 * The look of a grid, kept under a name, or as long as the grid is on the screen. Other columns begin anew. `own` is the order of rows for
 * without another choice of the user.
 */
export function useGridLayout(
  name: string | undefined,
  columns: ResultColumn[],
  own: Sort | null,
): [GridLayout, (next: GridLayout) => void] {
  const id = useId();
  const signature = signatureOf(name ?? id, columns);
  const known = useGridLayouts((s) => s.looks[signature]);
  const kept = useGridLayouts((s) => s.kept[signature]);
  const fresh = useMemo(() => ({ ...newLayout(columns.length), sort: own, ...kept }), [columns.length, own, kept]);
  useEffect(() => (name === undefined ? () => forgetLayouts(signature) : undefined), [name, signature]);
  return [known ?? fresh, (next) => setLayout(signature, next, own, name !== undefined)];
}
