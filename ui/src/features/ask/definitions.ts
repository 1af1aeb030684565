// The definitions of a database for a question: those that it names first.

import type { Definition } from "../../host/bindings";

export interface ListedDefinition {
  definition: Definition;
  /** True if the question has the term or a synonym. */
  named: boolean;
}

/** Terms from this length on are also found with an ending: "active customers". */
const INFLECTED = 4;
const ENDING = 2;

/** Lists definitions: named ones first, then those that apply to every query, each in their own order. */
export function listDefinitions(entries: readonly Definition[], question: string): ListedDefinition[] {
  const listed = entries.map((definition) => ({ definition, named: isNamed(definition, question) }));
  const rank = ({ definition, named }: ListedDefinition) => (named ? 0 : definition.always ? 1 : 2);
  return listed.sort((a, b) => rank(a) - rank(b));
}

function isNamed({ term, synonyms }: Definition, question: string): boolean {
  return [term, ...synonyms].some((name) => {
    const words = name.trim().split(/\s+/).filter(Boolean);
    if (words.length === 0) return false;
    const ending = name.trim().length >= INFLECTED ? `\\p{L}{0,${ENDING}}` : "";
    const written = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+");
    return new RegExp(`(?<![\\p{L}\\p{N}])${written}${ending}(?![\\p{L}\\p{N}])`, "iu").test(question);
  });
}
