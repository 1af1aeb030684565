// The model of an answer's diagram: tables, steps and the result, with the columns that each is made of. A table is
// drawn at every step that reads it, so that no line has to cross the picture.

import { t } from "@lingui/core/macro";
import type { ExplainedStep, Explanation, ExplanationCheck, UsedColumn } from "../../../host/bindings";
import { joinedNames, largestChange, type RowChange } from "../rowChange";

/** A column of a card, by the cards that it is made of. */
export interface CardColumn {
  name: string;
  from: { card: string; column: string }[];
}

interface BaseCard {
  id: string;
  rows: number | null;
  columns: CardColumn[];
  /** Doubts at this card. */
  checks: ExplanationCheck[];
}

export interface TableCard extends BaseCard {
  kind: "table";
  table: string;
  used: UsedColumn[];
  /** The cards that read it, here and elsewhere in the picture. */
  readers: string[];
}

export interface StepCard extends BaseCard {
  kind: "step";
  step: ExplainedStep;
  /** Its position in the order of work, from 1, as sentences name it. */
  number: number;
  /** What a join adds; empty for other steps. */
  joined: string;
  /** The change of rows, if it is the largest of all steps. */
  largest: RowChange | null;
}

export interface ResultCard extends BaseCard {
  kind: "result";
  /** Why there are no steps between it and the tables. */
  whole: string | null;
  /** True if the steps were run and gave these rows. */
  proven: boolean;
  /** The only value of the answer, as it is displayed; null if there are more. */
  value: string | null;
}

export type Card = TableCard | StepCard | ResultCard;

/** From what is read to what reads it. */
export interface ReadLink {
  from: string;
  to: string;
}

export interface Picture {
  /** Tables directly before their reader, steps in the order of work, the result last. */
  cards: Card[];
  reads: ReadLink[];
}

/** The rows of the answer, where they are known. */
export interface VisibleCards {
  columns: string[];
  rows: number | null;
  /** The only value, as it is displayed; null if there are more. */
  value?: string | null;
}

export const RESULT = "result";
export const stepCard = (name: string) => `step:${name}`;
const tableCard = (table: string, reader: string) => `table:${table}@${reader}`;

export function pictureOf(explanation: Explanation, shown: VisibleCards | null): Picture {
  const cards: Card[] = [];
  const reads: ReadLink[] = [];
  const steps = new Set<string>();
  const takeTable = (table: string, reader: string) => {
    const id = tableCard(table, reader);
    const used = usedTable(explanation, table);
    const columns = (used?.columns ?? []).map(({ column }) => ({ name: column, from: [] }));
    cards.push({
      kind: "table",
      id,
      table,
      rows: used?.rows ?? null,
      columns,
      checks: [],
      used: used?.columns ?? [],
      readers: [],
    });
    reads.push({ from: id, to: reader });
  };
  const largest = largestChange(explanation);
  for (const [at, step] of explanation.steps.entries()) {
    const id = stepCard(step.name);
    const read = [...new Set(step.reads)];
    const cardOf = (source: string) => (steps.has(source) ? stepCard(source) : tableCard(source, id));
    for (const table of read.filter((name) => !steps.has(name))) takeTable(table, id);
    for (const name of read.filter((name) => steps.has(name))) reads.push({ from: stepCard(name), to: id });
    const columns = step.columns.map(({ name, from }) => ({
      name,
      from: from.map(({ source, column }) => ({ card: cardOf(source), column })),
    }));
    const checks = explanation.checks.filter((check) => check.step === step.name);
    cards.push({
      kind: "step",
      id,
      step,
      number: at + 1,
      joined: joinedNames(step, explanation),
      largest: largest?.step === step.name ? largest : null,
      rows: step.rows,
      columns,
      checks,
    });
    steps.add(step.name);
  }
  const last = explanation.steps.at(-1);
  if (last) reads.push({ from: stepCard(last.name), to: RESULT });
  else for (const { table } of explanation.selection) takeTable(table, RESULT);
  cards.push(resultCard(explanation, last, shown));
  return withReaders({ cards, reads });
}

function resultCard(
  explanation: Explanation,
  last: ExplainedStep | undefined,
  shown: VisibleCards | null,
): ResultCard {
  const told = last?.columns.map((column) => column.name) ?? [];
  // The names of the rows that are shown, unless the query has changed since.
  const current = shown && (told.length === 0 || shown.columns.length === told.length) ? shown : null;
  const names = current?.columns ?? told;
  const columns = names.map((name, i) => ({
    name,
    from: last && told[i] !== undefined ? [{ card: stepCard(last.name), column: told[i] }] : [],
  }));
  const whole = last ? null : explanation.unproven;
  // A doubt without a step concerns the whole query.
  const steps = new Set(explanation.steps.map((step) => step.name));
  const checks = explanation.checks.filter(({ step }) => step === null || !steps.has(step));
  const { proven } = explanation;
  const value = current?.value ?? null;
  const rows = shown?.rows ?? last?.rows ?? null;
  return { kind: "result", id: RESULT, rows, columns, checks, whole, proven, value };
}

/** Columns that only lineage names are columns of their tables, too; and all places know where else a table is read. */
function withReaders({ cards, reads }: Picture): Picture {
  const tables = new Map(cards.flatMap((card) => (card.kind === "table" ? [[card.id, card] as const] : [])));
  const readers = new Map<string, string[]>();
  for (const { from, to } of reads) {
    const table = tables.get(from)?.table;
    if (table !== undefined) readers.set(table, [...(readers.get(table) ?? []), to]);
  }
  for (const { card, column } of cards.flatMap((c) => c.columns.flatMap((col) => col.from))) {
    const table = tables.get(card);
    if (table && !table.columns.some((c) => c.name === column)) table.columns.push({ name: column, from: [] });
  }
  for (const table of tables.values()) table.readers = readers.get(table.table) ?? [];
  return { cards, reads };
}

/** Finds the description of a table; compares names by their last part if they are written differently. */
function usedTable(explanation: Explanation, table: string) {
  const last = (name: string) => name.split(".").at(-1)!.toLowerCase();
  return (
    explanation.selection.find((used) => used.table === table) ??
    explanation.selection.find((used) => last(used.table) === last(table))
  );
}

/** The name of a card in a sentence. */
export function cardName(card: Card): string {
  return card.kind === "table" ? card.table : card.kind === "result" ? t`the result` : numberedNote(card);
}

/** A step's sentence with its number: "3. For each region: sum of revenue." */
export const numberedNote = ({ number, step }: StepCard) => `${number}. ${step.note}`;
