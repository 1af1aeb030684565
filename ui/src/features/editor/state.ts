// What a person has written over an answer's SQL, kept while the window is open.

import { create } from "zustand";

export const useDrafts = create<{ drafts: Record<string, string> }>(() => ({ drafts: {} }));

export function setDraft(key: string, sql: string | null) {
  useDrafts.setState(({ drafts }) => {
    const { [key]: _, ...rest } = drafts;
    return { drafts: sql === null ? rest : { ...rest, [key]: sql } };
  });
}
