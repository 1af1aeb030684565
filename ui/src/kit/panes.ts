// Sizes of the window's panes as set by the user; stored by the host, by the name of the moved edge.

import { create } from "zustand";
import { host } from "../host/host";

/** Details beside a diagram, details beside a list, the result below an editor. */
export const PANES = ["detail", "detail.wide", "result"] as const;
export type Pane = (typeof PANES)[number];

type Sizes = Partial<Record<Pane, number>>;

const KEY = "panes";
const WAIT_MS = 300;
/** No pane is larger, whatever is remembered. */
const MOST = 4_000;

export const usePanes = create<{ sizes: Sizes }>(() => ({ sizes: {} }));

let storing: ReturnType<typeof setTimeout> | undefined;

/** Stored once the edge rests. */
export function setPane(name: Pane, pixels: number) {
  usePanes.setState(({ sizes }) => ({ sizes: { ...sizes, [name]: Math.round(pixels) } }));
  clearTimeout(storing);
  storing = setTimeout(() => {
    storing = undefined;
    void host().setPreference(KEY, JSON.stringify(usePanes.getState().sizes));
  }, WAIT_MS);
}

/** Also of another window, when this one gets the focus. */
export async function readPanes() {
  const sizes = sizesOf((await host().preference(KEY)) ?? null);
  // An edge that was moved just now is not stored yet.
  if (storing === undefined) usePanes.setState({ sizes });
}

/** Parses stored sizes; ignores other entries. */
export function sizesOf(remembered: string | null): Sizes {
  if (!remembered) return {};
  try {
    const all: unknown = JSON.parse(remembered);
    if (typeof all !== "object" || all === null) return {};
    const known = PANES.map((name) => [name, (all as Sizes)[name]] as const);
    return Object.fromEntries(known.filter(([, size]) => typeof size === "number" && size > 0 && size <= MOST));
  } catch {
    return {};
  }
}
