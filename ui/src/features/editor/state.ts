// The user's edits of an answer's SQL or code, and whether the queries of its views are shown; kept while the
// window is open.

import { create } from "zustand";

export const useDrafts = create<{ drafts: Record<string, string>; queries: Record<string, boolean> }>(() => ({
  drafts: {},
  queries: {},
}));

export function setDraft(key: string, text: string | null) {
  useDrafts.setState(({ drafts }) => {
    const { [key]: _, ...rest } = drafts;
    return { drafts: text === null ? rest : { ...rest, [key]: text } };
  });
}

export function showQueries(key: string, shown: boolean) {
  useDrafts.setState(({ queries }) => ({ queries: { ...queries, [key]: shown } }));
}
