// Levels of detail of a card by scale, so that no text is less than 10 px high.

import { READABLE } from "./view";

/** All; its name and what it did; its name alone. */
export type Level = "full" | "brief" | "name";

/** The least height of text on screen, in pixels. */
const LEAST_TEXT = 10.5;

/** Below it, a card has room for its name alone. */
const BRIEF = 0.52;

/** The least scale: below it, names have no room. What does not fit at it is moved around in, with a small map. */
export const LEAST_SCALE = 0.34;

export function levelAt(scale: number): Level {
  if (scale >= READABLE) return "full";
  return scale >= BRIEF ? "brief" : "name";
}

/** The size of text inside of the diagram that is `LEAST_TEXT` on screen. */
export function textAt(scale: number): number {
  return LEAST_TEXT / scale;
}
