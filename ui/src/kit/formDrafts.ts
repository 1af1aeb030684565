// Unsent input of forms, by form: it is restored when the form opens again. Kept while the
// window is open.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import { toast } from "./toast";

/** Older ones are forgotten. */
const MOST = 100;

export const useFormDrafts = create<{ forms: Record<string, unknown> }>(() => ({ forms: {} }));

/** Puts what was begun in its place; null: it was sent or given up. */
export function setFormDraft(place: string, next: unknown) {
  useFormDrafts.setState(({ forms: { [place]: _, ...rest } }) => {
    if (next === null) return { forms: rest };
    return { forms: { ...Object.fromEntries(Object.entries(rest).slice(1 - MOST)), [place]: next } };
  });
}

export function hasFormDraft(place: string): boolean {
  return useFormDrafts.getState().forms[place] !== undefined;
}

/** Gives up what was begun; the message offers it again. */
export function discardFormDraft(place: string) {
  const before = useFormDrafts.getState().forms[place];
  if (before === undefined) return;
  setFormDraft(place, null);
  toast({
    title: t`Your edits were discarded.`,
    life: 10_000,
    actions: [{ label: t`Undo`, run: () => setFormDraft(place, before) }],
  });
}

/** Returns the draft of a form, or its initial values. */
export function useFormDraft<Typed>(place: string, own: Typed): [Typed, (next: Typed) => void] {
  const begun = useFormDrafts((s) => s.forms[place] as Typed | undefined);
  return [begun ?? own, (next) => setFormDraft(place, next)];
}
