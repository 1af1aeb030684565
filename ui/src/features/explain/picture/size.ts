// The size of a card, estimated from its text, so that the layout needs no DOM.

import { t } from "@lingui/core/macro";
import type { Size } from "../../../kit/diagram/boxes";
import { textWidth } from "../../../kit/textWidth";
import { wholeQuery } from "../words";
import type { Card } from "./model";

/** Widths and distances of cards, and the number of text lines on a card. */
export interface Widths {
  step: number;
  table: number;
  gap: number;
  lines: number;
}

export const WIDE: Widths = { step: 380, table: 212, gap: 44, lines: 4 };
/** For frames that the wide ones do not fit into. */
export const NARROW: Widths = { step: 300, table: 168, gap: 32, lines: 5 };

/** Lines of column names that are shown on a card. */
const COLUMN_LINES = 3;
const LINE = 18;
const PAD = 10;
/** Width beside the sentence: the icon and the padding. */
const BESIDE = 48;
/** The names of columns reach a little farther than the text above them. */
const CHIPS_OUT = 8;
/** Padding of a column's name and the distance to the next. */
const CHIP = 12;
const CHIP_LINE = 22;
/** Height of the answer's value. */
const VALUE_LINE = 26;

/** Lines that a text takes when it wraps between words; a word that is too long is broken. */
export function textLines(text: string, width: number, size = 13): number {
  let lines = 1;
  let used = 0;
  for (const word of text.split(/(?<=\s)/)) {
    const long = textWidth(word, size);
    if (used > 0 && used + textWidth(word.trimEnd(), size) > width) {
      lines++;
      used = 0;
    }
    lines += Math.max(0, Math.ceil(long / width) - 1);
    used += Math.min(long, width);
  }
  return lines;
}

/** Maximum width of the column names on a card. */
export const chipsRoom = (card: Card, { table, step }: Widths) =>
  (card.kind === "table" ? table : step) - BESIDE + CHIPS_OUT;

/** The number of names that fit and their lines; the last line counts the rest. */
export function columnsShown(names: string[], width: number): { shown: number; lines: number } {
  let lines = 1;
  let used = 0;
  for (const [i, name] of names.entries()) {
    const chip = Math.min(width, textWidth(name, 12) + CHIP);
    const rest = i < names.length - 1 ? textWidth(t`+99 more`, 12) : 0;
    if (used > 0 && used + chip > width - (lines === COLUMN_LINES ? rest : 0)) {
      if (lines === COLUMN_LINES) return { shown: i, lines };
      lines++;
      used = 0;
    }
    used += chip;
  }
  return { shown: names.length, lines: names.length === 0 ? 0 : lines };
}

const sentenceLines = (note: string, { lines, step }: Widths) => Math.min(lines, textLines(note, step - BESIDE));

/** The lines of a sentence that its card has room for when the text is as large as the middle level needs it. */
export const briefLines = (note: string, widths: Widths) => Math.max(1, sentenceLines(note, widths) - 1);

export function sizeOf(card: Card, widths: Widths): Size {
  const names = card.columns.map((column) => column.name);
  switch (card.kind) {
    case "step": {
      const lines = sentenceLines(card.step.note, widths);
      return { width: widths.step, height: 2 * PAD + lines * LINE + 20 };
    }
    case "table": {
      const room = widths.table - BESIDE;
      const { lines } = columnsShown(names, chipsRoom(card, widths));
      const title = Math.min(2, textLines(card.table, room, 13.5));
      return { width: widths.table, height: 2 * PAD + title * LINE + 16 + lines * CHIP_LINE };
    }
    case "result": {
      const { lines } = columnsShown(names, chipsRoom(card, widths));
      const whole = card.whole ? textLines(wholeQuery(card.whole), widths.step - BESIDE) : 0;
      const value = card.value === null ? 0 : VALUE_LINE;
      return { width: widths.step, height: 2 * PAD + (1 + Math.min(3, whole)) * LINE + value + lines * CHIP_LINE };
    }
  }
}
