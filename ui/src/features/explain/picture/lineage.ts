// Column lineage: sources back to the tables, uses forward to the result.

import { t } from "@lingui/core/macro";
import { type Card, type Picture, RESULT } from "./model";

export interface PickedColumn {
  card: string;
  column: string;
}

export interface Trace {
  picked: PickedColumn;
  /** The highlighted columns, by card. */
  columns: Map<string, Set<string>>;
  /** The highlighted lines, as `from>to`. */
  reads: Set<string>;
  /** Columns of tables that it is made of. */
  sources: { table: string; column: string }[];
  /** Columns of the result that are made of it. */
  results: string[];
}

const keyOf = ({ card, column }: PickedColumn) => JSON.stringify([card, column]);

export function traceLineage({ cards }: Picture, picked: PickedColumn): Trace {
  const back = new Map<string, PickedColumn[]>();
  const ahead = new Map<string, PickedColumn[]>();
  for (const card of cards) {
    for (const { name, from } of card.columns) {
      const here = { card: card.id, column: name };
      back.set(keyOf(here), from);
      for (const source of from) {
        const known = ahead.get(keyOf(source));
        if (known) known.push(here);
        else ahead.set(keyOf(source), [here]);
      }
    }
  }
  const found: Trace = { picked, columns: new Map(), reads: new Set(), sources: [], results: [] };
  const light = ({ card, column }: PickedColumn) =>
    found.columns.set(card, (found.columns.get(card) ?? new Set()).add(column));
  const walk = (edges: Map<string, PickedColumn[]>, read: (from: PickedColumn, to: PickedColumn) => string) => {
    const queue = [picked];
    const seen = new Set([keyOf(picked)]);
    for (let at = queue.shift(); at; at = queue.shift()) {
      light(at);
      for (const next of edges.get(keyOf(at)) ?? []) {
        found.reads.add(read(at, next));
        if (seen.has(keyOf(next))) continue;
        seen.add(keyOf(next));
        queue.push(next);
      }
    }
  };
  walk(back, (at, from) => `${from.card}>${at.card}`);
  walk(ahead, (at, to) => `${at.card}>${to.card}`);
  return { ...found, ...lineageEnds(cards, found, picked) };
}

function lineageEnds(cards: Card[], { columns }: Trace, picked: PickedColumn): Pick<Trace, "sources" | "results"> {
  const sources = new Map<string, { table: string; column: string }>();
  for (const card of cards) {
    if (card.kind !== "table" || card.id === picked.card) continue;
    for (const column of columns.get(card.id) ?? [])
      sources.set(`${card.table}.${column}`, { table: card.table, column });
  }
  const results = picked.card === RESULT ? [] : [...(columns.get(RESULT) ?? [])];
  return { sources: [...sources.values()], results };
}

/** The trace in words: sources and uses of the column. */
export function traceWords({ cards }: Picture, { picked, sources, results }: Trace): string {
  const card = cards.find((c) => c.id === picked.card);
  const own = card?.kind === "table" ? `${card.table}.${picked.column}` : picked.column;
  const made = sources.map(({ table, column }) => `${table}.${column}`).join(", ");
  const back = card?.kind === "table" ? own : `${own} ← ${made || t`no stored column (a count or a constant)`}`;
  const unused = picked.card === RESULT ? "" : t` · not in the result`;
  return back + (results.length > 0 ? ` → ${results.join(", ")}` : unused);
}
