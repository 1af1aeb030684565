// Every keyboard shortcut: what it does, where it works, its keys, and the keys that the user chose instead.

import type { MessageDescriptor } from "@lingui/core";
import { i18n } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { create } from "zustand";
import { host } from "../host/host";
import { keyNames, type PressedKey, partsOf, pressedKeys } from "./keyNames";

/** Where a shortcut works: on every page, on the page of a run, or only where the focus is. */
export type ShortcutPlace = "window" | "run" | "graph" | "grid" | "editor";

export const GROUPS = ["Anywhere", "Question", "Answer", "Graph", "Grid"] as const;
type Group = (typeof GROUPS)[number];

/** Headings of the groups. */
export const GROUP_NAMES: Record<Group, MessageDescriptor> = {
  Anywhere: msg`Anywhere`,
  Question: msg`Question`,
  Answer: msg`Answer`,
  Graph: msg`Graph`,
  Grid: msg`Grid`,
};

interface Shortcut {
  group: Group;
  title: MessageDescriptor;
  keys: string;
  place: ShortcutPlace;
}

/** Shortcuts that the user can change. */
const CHANGEABLE = {
  palette: { group: "Anywhere", title: msg`Commands`, keys: "mod+k", place: "window" },
  newQuestion: { group: "Anywhere", title: msg`New question`, keys: "mod+n", place: "window" },
  newWindow: { group: "Anywhere", title: msg`New window`, keys: "mod+shift+n", place: "window" },
  focusQuestion: {
    group: "Anywhere",
    title: msg`Go to the question box, or edit the question`,
    keys: "/",
    place: "window",
  },
  open: { group: "Anywhere", title: msg`Open warehouse`, keys: "mod+o", place: "window" },
  sidebar: { group: "Anywhere", title: msg`Show or hide sidebar`, keys: "mod+b", place: "window" },
  settings: { group: "Anywhere", title: msg`Settings`, keys: "mod+,", place: "window" },
  shortcuts: { group: "Anywhere", title: msg`Keyboard shortcuts`, keys: "?", place: "window" },
  messages: { group: "Anywhere", title: msg`Go to the latest notification`, keys: "f8", place: "window" },
  followUp: { group: "Question", title: msg`Go to the follow-up box`, keys: "mod+j", place: "run" },
  stop: { group: "Question", title: msg`Stop`, keys: "mod+.", place: "run" },
  answer: { group: "Answer", title: msg`Answer`, keys: "mod+1", place: "run" },
  graph: { group: "Answer", title: msg`Graph`, keys: "mod+2", place: "run" },
  sql: { group: "Answer", title: msg`SQL`, keys: "mod+3", place: "run" },
  sent: { group: "Answer", title: msg`Sent out`, keys: "mod+4", place: "run" },
  save: { group: "Answer", title: msg`Save question`, keys: "mod+s", place: "run" },
  runQuery: { group: "Answer", title: msg`Run the edited query or code`, keys: "mod+enter", place: "editor" },
  runPart: { group: "Answer", title: msg`Run the part at the cursor`, keys: "mod+shift+enter", place: "editor" },
  findInGraph: { group: "Graph", title: msg`Find in the graph`, keys: "mod+f", place: "graph" },
  zoomIn: { group: "Graph", title: msg`Zoom in`, keys: "+", place: "graph" },
  zoomOut: { group: "Graph", title: msg`Zoom out`, keys: "-", place: "graph" },
  fit: { group: "Graph", title: msg`Fit to view`, keys: "0", place: "graph" },
  findInRows: { group: "Grid", title: msg`Search rows`, keys: "mod+f", place: "grid" },
  copy: { group: "Grid", title: msg`Copy the selection`, keys: "mod+c", place: "grid" },
  copyNamed: { group: "Grid", title: msg`Copy with column names`, keys: "mod+shift+c", place: "grid" },
  selectAll: { group: "Grid", title: msg`Select all`, keys: "mod+a", place: "grid" },
  openValue: { group: "Grid", title: msg`Show the whole value`, keys: "enter", place: "grid" },
  openRow: { group: "Grid", title: msg`Show the whole row`, keys: "space", place: "grid" },
  sourceRows: { group: "Grid", title: msg`Show source rows`, keys: "alt+enter", place: "grid" },
} satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof CHANGEABLE;

export const SHORTCUTS: Record<ShortcutId, Shortcut> = CHANGEABLE;
export const SHORTCUT_IDS = Object.keys(CHANGEABLE) as ShortcutId[];

/** Keys that lead through a page, as in every program: they stay. */
export const FIXED: (Omit<Shortcut, "place"> & { place: ShortcutPlace | "field" })[] = [
  {
    group: "Anywhere",
    title: msg`Next entry of the sidebar, or next question of the history`,
    keys: "down",
    place: "field",
  },
  { group: "Anywhere", title: msg`Menu of a question (in the history)`, keys: "right", place: "field" },
  { group: "Question", title: msg`Ask`, keys: "enter", place: "field" },
  { group: "Question", title: msg`New line`, keys: "shift+enter", place: "field" },
  { group: "Question", title: msg`Earlier questions`, keys: "up", place: "field" },
  { group: "Question", title: msg`Choose the first interpretation`, keys: "1", place: "run" },
  { group: "Question", title: msg`Leave the question box or close a panel`, keys: "esc", place: "window" },
  { group: "Answer", title: msg`Then Tab: leave the SQL editor`, keys: "esc", place: "editor" },
  { group: "Graph", title: msg`Next card in that direction (any arrow key)`, keys: "up", place: "graph" },
  { group: "Graph", title: msg`Open the card (Tab moves to its details)`, keys: "enter", place: "graph" },
  { group: "Graph", title: msg`Move the view (any arrow key)`, keys: "shift+up", place: "graph" },
  { group: "Graph", title: msg`Clear the selection`, keys: "esc", place: "graph" },
  { group: "Grid", title: msg`Last row`, keys: "mod+down", place: "grid" },
  { group: "Grid", title: msg`From the first row to the column names`, keys: "up", place: "grid" },
  { group: "Grid", title: msg`Sort (at a column name)`, keys: "enter", place: "field" },
  { group: "Grid", title: msg`Column menu (at a column name)`, keys: "alt+down", place: "field" },
  { group: "Grid", title: msg`Wider column (at a column name)`, keys: "shift+right", place: "field" },
];

/** The keys that the user chose; an empty text is none. */
export const useShortcuts = create<{ chosen: Partial<Record<ShortcutId, string>> }>(() => ({ chosen: {} }));

const KEY = "shortcuts";

export async function startShortcuts() {
  const kept: unknown = JSON.parse((await host().preference(KEY)) ?? "{}");
  const entries = Object.entries(kept as object).filter(([id, keys]) => id in SHORTCUTS && typeof keys === "string");
  useShortcuts.setState({ chosen: Object.fromEntries(entries) });
}

function saveChosenKeys(chosen: Partial<Record<ShortcutId, string>>) {
  useShortcuts.setState({ chosen });
  void host().setPreference(KEY, JSON.stringify(chosen));
}

export function keysOf(id: ShortcutId): string {
  return useShortcuts.getState().chosen[id] ?? SHORTCUTS[id].keys;
}

export function useKeysOf(id: ShortcutId | undefined): string {
  return useShortcuts((s) => (id === undefined ? "" : (s.chosen[id] ?? SHORTCUTS[id].keys)));
}

/** Returns whether the event is the shortcut. */
export function isShortcut(event: PressedKey, id: ShortcutId): boolean {
  const keys = keysOf(id);
  return keys !== "" && pressedKeys(event) === keys;
}

/** The shortcut of these places that the event is. */
export function shortcutOf(event: PressedKey, places: ShortcutPlace[]): ShortcutId | undefined {
  return SHORTCUT_IDS.find((id) => places.includes(SHORTCUTS[id].place) && isShortcut(event, id));
}

/** Gives a shortcut other keys; whatever else had them where both work has none then. */
export function setKeys(id: ShortcutId, keys: string) {
  const chosen = { ...useShortcuts.getState().chosen };
  if (keys !== "") for (const other of shortcutsWithKeys(id, keys)) chosen[other] = "";
  chosen[id] = keys;
  if (keys === SHORTCUTS[id].keys) delete chosen[id];
  saveChosenKeys(chosen);
}

/** The shortcut has the keys that it came with. */
export function resetKeys(id: ShortcutId) {
  setKeys(id, SHORTCUTS[id].keys);
}

export function resetAllKeys() {
  saveChosenKeys({});
}

const placesOverlap = (one: ShortcutPlace, other: ShortcutPlace) =>
  one === other || [one, other].some((place) => place === "window" || place === "run");

/** Other shortcuts that have these keys where this one works. */
export function shortcutsWithKeys(id: ShortcutId, keys: string): ShortcutId[] {
  return SHORTCUT_IDS.filter(
    (other) => other !== id && keysOf(other) === keys && placesOverlap(SHORTCUTS[id].place, SHORTCUTS[other].place),
  );
}

/** Keys that edit text everywhere. */
const EDITING = ["a", "c", "v", "x", "y", "z", "backspace", "delete", "home", "end", "up", "down", "left", "right"];
const LEADING = ["esc", "tab", "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "contextmenu"];
const SYSTEM = ["mod+q", "mod+w", "mod+h", "mod+m", "alt+f4"];

/** Returns whether the keys do something although text is being typed. */
export function reachesPastText(keys: string): boolean {
  const parts = partsOf(keys);
  return parts.includes("mod") || parts.includes("ctrl") || /^f\d+$/.test(parts.at(-1) ?? "");
}

/** Why a shortcut cannot have these keys. */
export function problemOf(id: ShortcutId, keys: string): string | null {
  const { place } = SHORTCUTS[id];
  const parts = partsOf(keys);
  const key = parts.at(-1) ?? "";
  if (SYSTEM.includes(keys)) return t`The system uses these keys.`;
  const alone = parts.every((part) => part === key || part === "shift");
  if (alone && LEADING.includes(key)) return t`This key navigates the window.`;
  const inText = place !== "grid" && place !== "graph";
  if (inText && parts.includes("mod") && !parts.includes("alt") && EDITING.includes(key))
    return t`These keys edit text.`;
  if (place === "editor" && !reachesPastText(keys))
    return t`This would type into the editor. Add ${keyNames("mod")[0] ?? ""}.`;
  if (inText && alone && ["enter", "space", "backspace", "delete"].includes(key))
    return t`This key presses buttons and edits text.`;
  if (inText && alone && /^[1-9]$/.test(key)) return t`Digits choose an interpretation.`;
  const fixed = FIXED.find((it) => it.keys === keys && it.place !== "field" && placesOverlap(it.place, place));
  return fixed ? t`These keys are reserved for “${i18n._(fixed.title)}”.` : null;
}
