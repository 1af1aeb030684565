// The interpretations of the question: which was chosen, by whom, and the others.

import type { Reading } from "../../../host/bindings";
import type { Asked } from "./model";

/** The chosen interpretation; null if none was chosen. */
export function takenOf(asked: Asked | null): Reading | null {
  return asked?.readings.find((r) => r.candidate === asked.taken) ?? null;
}

/** The interpretations that were not chosen. */
export function othersOf(asked: Asked): Reading[] {
  return asked.readings.filter((r) => r.candidate !== asked.taken);
}

/**
 * What an interpretation means, as a heading: what its query does that not all of them do. One that only leaves something
 * out is told by what the others do.
 */
export function meaningInWords(reading: Reading, all: Reading[]): string {
  const own = reading.differs ?? [];
  if (own.length > 0) return capital(own.join(", "));
  const others = [...new Set(all.flatMap((other) => other.differs ?? []))];
  if (others.length === 0) return "Another way to compute it";
  return `Without: ${others.slice(0, 3).join(", ")}`;
}

/** What is known of a question where one interpretation is meant and not another, as a definition for asking it again. */
export function definitionOf(meant: Reading, asked: Asked): string {
  const taken = takenOf(asked);
  const not =
    taken && taken.candidate !== meant.candidate ? ` Not meant: ${meaningInWords(taken, asked.readings)}.` : "";
  return `What the question means: ${meaningInWords(meant, asked.readings)}.${not}`;
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** "You chose this interpretation" */
export function whoChose({ by }: Asked): string {
  if (by === "person") return "You chose this interpretation";
  if (by === "vitrine") return "You let Vitrine choose; it chose this interpretation";
  return "No interpretation was chosen";
}

/** For a card: "you chose interpretation 2 of 3" */
export function chosenInShort(asked: Asked | null): string {
  if (!asked || asked.by === null) return "";
  const number = asked.readings.findIndex((r) => r.candidate === asked.taken) + 1;
  return `${asked.by === "person" ? "you chose" : "Vitrine chose"} interpretation ${number} of ${asked.readings.length}`;
}
