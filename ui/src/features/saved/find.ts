// Which saved questions are shown, and the folders that they are in.

import type { SavedQuestion, SavedStatus } from "../../host/bindings";

export interface SavedListFilter {
  search: string;
  /** With the folders below it; null is all of them. */
  folder: string | null;
  tag: string | null;
  status: SavedStatus | null;
  /** Only those whose schema has changed. */
  drifted: boolean;
}

export const EVERYTHING: SavedListFilter = { search: "", folder: null, tag: null, status: null, drifted: false };

/** Questions that a look lets through, in their order. */
export function filterQuestions(
  list: SavedQuestion[],
  look: SavedListFilter,
  drifts: Record<string, string[]>,
): SavedQuestion[] {
  const words = look.search.toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter(
    (q) =>
      (look.folder === null || isIn(q.filing.folder, look.folder)) &&
      (look.tag === null || q.filing.tags.includes(look.tag)) &&
      (look.status === null || q.status === look.status) &&
      (!look.drifted || drifts[q.id] !== undefined) &&
      words.every((word) => textOf(q).includes(word)),
  );
}

function textOf({ title, question, sql, notes, code, filing }: SavedQuestion): string {
  return [title, question, sql, notes, code?.code, filing.folder, ...filing.tags].join(" ").toLowerCase();
}

/** Returns whether a folder is another one, or below it: "Sales" is not the beginning of "Salesmen". */
function isIn(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(`${other}/`);
}

export interface Folder {
  path: string;
  name: string;
  /** 0 for folders at the top. */
  depth: number;
  /** Questions in it and below it. */
  questions: number;
}

/** All folders, each followed by those below it. */
export function foldersOf(list: SavedQuestion[]): Folder[] {
  const counts = new Map<string, number>();
  for (const { filing } of list) {
    const parts = filing.folder.split("/").filter(Boolean);
    for (let end = 1; end <= parts.length; end++) {
      const path = parts.slice(0, end).join("/");
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([path, questions]) => {
      const parts = path.split("/");
      return { path, name: parts.at(-1)!, depth: parts.length - 1, questions };
    })
    .sort((a, b) => compareQuestions(a.path.split("/"), b.path.split("/")));
}

function compareQuestions(a: string[], b: string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = a[at]!.localeCompare(b[at]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

export function tagsOf(list: SavedQuestion[]): string[] {
  return [...new Set(list.flatMap((q) => q.filing.tags))].sort((a, b) => a.localeCompare(b));
}

/** Tags as they are typed, between commas. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()))].filter(Boolean);
}
