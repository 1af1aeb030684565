// The looks of grids while the program is open, by what they show.

import { useEffect, useId, useMemo } from "react";
import { create } from "zustand";
import type { ResultColumn } from "../../host/bindings";
import { type Look, newLook } from "./look";
import type { Sort } from "./sort";

/** Older ones are forgotten. */
const MOST_KEPT = 60;

export const useLooks = create<{ looks: Record<string, Look> }>(() => ({ looks: {} }));

function put(key: string, look: Look) {
  useLooks.setState(({ looks }) => {
    const { [key]: _, ...rest } = looks;
    const kept = Object.entries(rest).slice(-MOST_KEPT + 1);
    return { looks: { ...Object.fromEntries(kept), [key]: look } };
  });
}

function forget(key: string) {
  useLooks.setState(({ looks: { [key]: _, ...looks } }) => ({ looks }));
}

/** The look of a grid, kept under a name, or as long as the grid is on the screen. Other columns begin anew. */
export function useLook(
  name: string | undefined,
  columns: ResultColumn[],
  sort: Sort | null,
): [Look, (next: Look) => void] {
  const own = useId();
  const signature = JSON.stringify([name ?? own, ...columns.map((column) => [column.name, column.type])]);
  const known = useLooks((s) => s.looks[signature]);
  const fresh = useMemo(() => ({ ...newLook(columns.length), sort }), [columns.length, sort]);
  useEffect(() => (name === undefined ? () => forget(signature) : undefined), [name, signature]);
  return [known ?? fresh, (next) => put(signature, next)];
}
