// Unsent questions by place: one new question per warehouse, one follow-up per run.

export interface Draft {
  text: string;
  knowledge: string;
}

export const EMPTY: Draft = { text: "", knowledge: "" };

/** Drafts kept at most; the ones that were not touched longest go first. */
const MOST_DRAFTS = 100;

/** Where a new question about some data is written; while none is open, about the data that opens next. */
export function placeOfData(uri: string | undefined): string {
  return `new:${uri ?? ""}`;
}

/** Where a follow-up on a run is written. */
export function placeOfRun(runId: string): string {
  return `run:${runId}`;
}

function sameDraft(a: Draft, b: Draft): boolean {
  return a.text === b.text && a.knowledge === b.knowledge;
}

/** Stores a draft as the latest. Empty text, or the default text, is not a draft. */
export function withDraft(
  drafts: Record<string, Draft>,
  place: string,
  draft: Draft,
  own: Draft,
): Record<string, Draft> {
  const { [place]: _, ...rest } = drafts;
  const blank = draft.text.trim() === "" && draft.knowledge.trim() === "";
  if (blank || sameDraft(draft, own)) return rest;
  const kept = Object.entries(rest).slice(1 - MOST_DRAFTS);
  return Object.fromEntries([...kept, [place, { text: draft.text, knowledge: draft.knowledge }]]);
}

/** Parses stored drafts; ignores other entries. */
export function readDrafts(remembered: string | null): Record<string, Draft> {
  if (!remembered) return {};
  try {
    const all: unknown = JSON.parse(remembered);
    if (typeof all !== "object" || all === null) return {};
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Draft] => isDraft(entry[1])));
  } catch {
    return {};
  }
}

function isDraft(value: unknown): value is Draft {
  const draft = value as Partial<Draft> | null;
  return typeof draft === "object" && typeof draft?.text === "string" && typeof draft.knowledge === "string";
}
