// One explanation for each query of a warehouse and the question that it answers, asked for when it is first shown.

import { useEffect } from "react";
import { create } from "zustand";
import type { AppError, Explanation } from "../../host/bindings";
import { host, toAppError } from "../../host/host";

export interface Entry {
  status: "loading" | "ready" | "failed";
  explanation: Explanation | null;
  error: AppError | null;
}

/** A query that can be explained. */
export interface ExplainedQuery {
  warehouse: string;
  sql: string;
  question: string | null;
  /** The explanation from its run. */
  own?: Explanation | null;
  /** Its run is still computing one. */
  coming?: boolean;
}

export const useExplanations = create<{ entries: Record<string, Entry> }>(() => ({ entries: {} }));

const LOADING: Entry = { status: "loading", explanation: null, error: null };

const keyOf = ({ warehouse, sql, question }: ExplainedQuery) => JSON.stringify([warehouse, question, sql]);

const setEntry = (key: string, entry: Entry) =>
  useExplanations.setState((s) => ({ entries: { ...s.entries, [key]: entry } }));

/** Asks for the explanation of a query, unless it is there or on its way. A failed one is asked for again. */
export async function loadExplanation(query: ExplainedQuery): Promise<void> {
  const key = keyOf(query);
  const known = useExplanations.getState().entries[key];
  if (known && known.status !== "failed") return;
  setEntry(key, LOADING);
  try {
    const explanation = await host().explain(query.warehouse, query.sql, query.question);
    setEntry(key, { status: "ready", explanation, error: null });
  } catch (error) {
    setEntry(key, { status: "failed", explanation: null, error: toAppError(error) });
  }
}

/** The explanation if known; requests nothing. */
export function useKnownExplanation(query: ExplainedQuery): Explanation | null {
  const entry = useExplanations((s) => s.entries[keyOf(query)]);
  return query.own ?? entry?.explanation ?? null;
}

/** The same, once. */
export function knownExplanation(query: ExplainedQuery): Explanation | null {
  return query.own ?? useExplanations.getState().entries[keyOf(query)]?.explanation ?? null;
}

/** The explanation; requested from the host if the run has none. */
export function useExplanation(query: ExplainedQuery): Entry {
  const { warehouse, sql, question, own, coming } = query;
  const entry = useExplanations((s) => s.entries[keyOf(query)]);
  useEffect(() => {
    if (!own && !coming) void loadExplanation({ warehouse, sql, question });
  }, [warehouse, sql, question, own, coming]);
  return own ? { status: "ready", explanation: own, error: null } : (entry ?? LOADING);
}
