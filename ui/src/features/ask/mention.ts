// A name of the catalog that is being written in the question, after an `@`.

export interface Mention {
  /** The position of the `@`. */
  from: number;
  /** The text after it, up to the caret. */
  typed: string;
}

/** The mention that ends at the caret. An `@` inside a word, as in an address, begins none. */
export function mentionAt(text: string, caret: number): Mention | null {
  // A name is short: what lies further back is not read again at every key.
  const start = Math.max(0, caret - 200);
  const found = text.slice(start, caret).match(/(?:^|[\s([{,;:"'])@([\p{L}\p{N}_$.-]*)$/u);
  if (!found) return null;
  const typed = found[1]!;
  return { from: caret - typed.length - 1, typed };
}

/** Returns the text with the name in place of the mention, and the new position of the caret. */
export function withName(text: string, { from, typed }: Mention, name: string): { text: string; caret: number } {
  const after = text.slice(from + 1 + typed.length);
  const space = after === "" ? " " : "";
  return { text: text.slice(0, from) + name + space + after, caret: from + name.length + space.length };
}

/**
 * Handles text typed right after an inserted name and its blank, which ends at `blank`: a blank or a comma replaces it. Null
 * where something else was typed.
 */
export function typedAfter(blank: number, value: string, caret: number): { text: string; caret: number } | null {
  if (caret !== blank + 1 || value[blank - 1] !== " " || !/[\s,.;:?!)]/.test(value[blank] ?? "")) return null;
  return { text: value.slice(0, blank - 1) + value.slice(blank), caret: blank };
}
