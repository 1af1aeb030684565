// The looks of grids, by what they show. Those under a name are remembered by the host, too.

import { useEffect, useId, useMemo } from "react";
import { create } from "zustand";
import { onForgotten } from "../../domain/deletions";
import type { ResultColumn } from "../../host/bindings";
import { host } from "../../host/host";
import { type Look, newLook } from "./layout";
import { type KeptLook, keptOf, keptText, MOST_LOOKS, partsOf, readKept, signatureOf } from "./savedLayout";
import type { Sort } from "./sort";

const KEY = "grid.looks";
const WAIT_MS = 300;

export const useLooks = create<{
  looks: Record<string, Look>;
  /** What outlives the program. */
  kept: Record<string, KeptLook>;
}>(() => ({ looks: {}, kept: {} }));

/** The look becomes the newest one. */
function put(key: string, look: Look, own: Sort | null, named: boolean) {
  useLooks.setState(({ looks, kept }) => {
    const { [key]: _, ...rest } = looks;
    const { [key]: __, ...others } = kept;
    const newest = <T>(all: Record<string, T>) => Object.fromEntries(Object.entries(all).slice(1 - MOST_LOOKS));
    return {
      looks: { ...newest(rest), [key]: look },
      kept: named ? { ...newest(others), [key]: keptOf(look, own) } : kept,
    };
  });
  if (named) storing ??= setTimeout(store, WAIT_MS);
}

let storing: ReturnType<typeof setTimeout> | null = null;

/** Stores the looks now; while an edge is dragged, storing is delayed. */
function store() {
  if (storing === null) return;
  clearTimeout(storing);
  storing = null;
  void host().setPreference(KEY, keptText(useLooks.getState().kept));
}

function forget(key: string) {
  useLooks.setState(({ looks: { [key]: _, ...looks } }) => ({ looks }));
}

/** Forgets the looks under a name: what they belong to was deleted. */
function forgetNamed(name: string) {
  const without = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([key]) => partsOf(key)?.name !== name));
  const { looks, kept } = useLooks.getState();
  useLooks.setState({ looks: without(looks), kept: without(kept) });
  storing ??= setTimeout(store, WAIT_MS);
}

/** How somebody wants to read the numbers of a grid under a name, by column. */
export function chosenFormats(name: string, columns: ResultColumn[]): Look["formats"] {
  const { looks, kept } = useLooks.getState();
  const signature = signatureOf(name, columns);
  const look = looks[signature] ?? kept[signature];
  return look?.exact ? {} : (look?.formats ?? {});
}

/** Also of another window, when this one gets the focus. What this one has not stored yet stays. */
export async function readLooks() {
  const kept = readKept((await host().preference(KEY)) ?? null);
  useLooks.setState((now) => ({ kept: storing === null ? kept : { ...kept, ...now.kept } }));
}

export async function startLooks() {
  onForgotten(forgetNamed);
  window.addEventListener("pagehide", store);
  await readLooks();
}

/**
 * The look of a grid, kept under a name, or as long as the grid is on the screen. Other columns begin anew. `own` is the order of rows for
 * which nobody has chosen another.
 */
export function useLook(
  name: string | undefined,
  columns: ResultColumn[],
  own: Sort | null,
): [Look, (next: Look) => void] {
  const id = useId();
  const signature = signatureOf(name ?? id, columns);
  const known = useLooks((s) => s.looks[signature]);
  const kept = useLooks((s) => s.kept[signature]);
  const fresh = useMemo(() => ({ ...newLook(columns.length), sort: own, ...kept }), [columns.length, own, kept]);
  useEffect(() => (name === undefined ? () => forget(signature) : undefined), [name, signature]);
  return [known ?? fresh, (next) => put(signature, next, own, name !== undefined)];
}
