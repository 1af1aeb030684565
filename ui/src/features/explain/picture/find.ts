// Cards that contain what the user types: in a table's name, a step's sentence or query, or the names of columns.

import { type Card, numberedNote, type Picture } from "./model";

function textOf(card: Card): string {
  const own =
    card.kind === "table"
      ? [card.table]
      : card.kind === "step"
        ? [card.step.name, numberedNote(card), card.step.grain ?? "", card.step.sql]
        : [card.value ?? ""];
  const checks = card.checks.map((check) => check.text);
  return [...own, ...card.columns.map((column) => column.name), ...checks].join("\n").toLowerCase();
}

/** The cards with every typed word, in the order of work. Nothing typed finds nothing. */
export function findCards({ cards }: Picture, typed: string): string[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return cards
    .filter((card) => {
      const text = textOf(card);
      return words.every((word) => text.includes(word));
    })
    .map((card) => card.id);
}
