// One explanation for each query of a warehouse, asked for when it is first shown.

import { create } from "zustand";
import type { AppError, Explanation } from "../../host/bindings";
import { host, toAppError } from "../../host/host";

export interface Entry {
  status: "loading" | "ready" | "failed";
  explanation: Explanation | null;
  error: AppError | null;
}

export const useExplanations = create<{ entries: Record<string, Entry> }>(() => ({ entries: {} }));

export const explanationKey = (warehouse: string, sql: string) => `${warehouse}\n${sql}`;

const put = (key: string, entry: Entry) =>
  useExplanations.setState((s) => ({ entries: { ...s.entries, [key]: entry } }));

/** Asks for the explanation of a query, unless it is there or on its way. A failed one is asked for again. */
export async function loadExplanation(warehouse: string, sql: string): Promise<void> {
  const key = explanationKey(warehouse, sql);
  const known = useExplanations.getState().entries[key];
  if (known && known.status !== "failed") return;
  put(key, { status: "loading", explanation: null, error: null });
  try {
    put(key, { status: "ready", explanation: await host().explain(warehouse, sql), error: null });
  } catch (error) {
    put(key, { status: "failed", explanation: null, error: toAppError(error) });
  }
}
