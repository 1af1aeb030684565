// The interpretations of the question: which was chosen, by whom, and the others.

import { t } from "@lingui/core/macro";
import type { Reading } from "../../../host/bindings";
import { calendarDay } from "../../../kit/format";
import { type ResultBegun, resultInWords } from "./answer";
import type { OfferedReadings } from "./model";

/** The chosen interpretation; null if none was chosen. */
export function takenOf(asked: OfferedReadings | null): Reading | null {
  return asked?.readings.find((r) => r.candidate === asked.taken) ?? null;
}

/** The interpretations that were not chosen. */
export function othersOf(asked: OfferedReadings): Reading[] {
  return asked.readings.filter((r) => r.candidate !== asked.taken);
}

/** The meaning of an interpretation, as a heading. In logs of earlier versions its result describes it. */
export function meaningInWords(reading: ResultBegun): string {
  return reading.meaning || capitalize(resultInWords(reading));
}

function capitalize(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** "You chose this interpretation" */
export function whoChose({ by, remembered }: OfferedReadings): string {
  if (remembered) return t`You chose this for this question on ${calendarDay(remembered.chosenAt)}`;
  if (by === "person") return t`You chose this interpretation`;
  if (by === "vitrine") return t`Vitrine chose this interpretation for you`;
  return t`No interpretation was chosen`;
}

/** For a card: "you chose interpretation 2 of 3" */
export function chosenInShort(asked: OfferedReadings | null): string {
  if (!asked || asked.by === null) return "";
  const number = asked.readings.findIndex((r) => r.candidate === asked.taken) + 1;
  return asked.by === "person"
    ? t`you chose interpretation ${number} of ${asked.readings.length}`
    : t`Vitrine chose interpretation ${number} of ${asked.readings.length}`;
}
