// Fetched views: the attempts at one name together.

import type { ViewSpec } from "../../../host/bindings";
import type { FetchAttempt, StageNode } from "./model";

export interface FetchedView {
  name: string;
  /** The attempt that was fetched, else the last. */
  last: FetchAttempt;
  /** Failed attempts, without `last`. */
  failed: FetchAttempt[];
}

/** The views of a stage in the order of their first attempts; those that were fetched come first. */
export function fetchedViews(stage: StageNode): FetchedView[] {
  const views = [...new Set(stage.fetches.map((f) => f.name))].map((name) => {
    const attempts = stage.fetches.filter((f) => f.name === name);
    const good = attempts.findLast((f) => f.error === null);
    const last = good ?? attempts.at(-1)!;
    return { name, last, failed: attempts.filter((f) => f.error !== null && f !== last) };
  });
  return views.sort((a, b) => Number(a.last.error !== null) - Number(b.last.error !== null));
}

/** "category: categories.cat_nm" as the column and what it comes from. */
export function columnParts(line: string): [string, string] {
  const at = line.indexOf(": ");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 2)];
}

/** A view spec as text, one line per part; empty parts are left out. */
export function specText(spec: ViewSpec): string {
  return Object.entries(spec)
    .filter(([, part]) => part !== null && part !== "" && !(Array.isArray(part) && part.length === 0))
    .map(([name, part]) => `${name}: ${JSON.stringify(part)}`)
    .join("\n");
}
