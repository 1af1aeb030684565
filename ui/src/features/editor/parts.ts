// The named parts of a query (WITH name AS (...)), each as a query of its own. The backend proves what may run.

import { ensureSyntaxTree, type syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

export interface SqlPart {
  name: string;
  /** The positions of its name and of the end of its query. */
  from: number;
  to: number;
  /** The text up to its end, and its rows. Lines keep their numbers, so that an error is shown at its place. */
  sql: string;
}

type Node = ReturnType<typeof syntaxTree>["topNode"];

/** Maximum length of a query that is split into parts. */
const READ_MS = 200;

/** The parts of the first statement; none where it does not begin with WITH. */
export function partsOf(state: EditorState): SqlPart[] {
  const statement = ensureSyntaxTree(state, state.doc.length, READ_MS)?.topNode.getChild("Statement");
  const nodes: Node[] = [];
  for (let node = statement?.firstChild; node; node = node.nextSibling) {
    if (!node.name.endsWith("Comment")) nodes.push(node);
  }
  const text = (node: Node | undefined) => (node ? state.sliceDoc(node.from, node.to) : "");
  const is = (at: number, word: string) => text(nodes[at]).toUpperCase() === word;
  const parts: SqlPart[] = [];
  if (!is(0, "WITH")) return parts;
  let at = is(1, "RECURSIVE") ? 2 : 1;
  while (at < nodes.length) {
    const named = nodes[at]!;
    at += 1;
    // The names of its columns.
    if (nodes[at]?.name === "Parens") at += 1;
    if (!is(at, "AS")) break;
    at += 1;
    while (is(at, "NOT") || is(at, "MATERIALIZED")) at += 1;
    const query = nodes[at];
    if (query?.name !== "Parens") break;
    parts.push({
      name: text(named).replace(/^["`]|["`]$/g, ""),
      from: named.from,
      to: query.to,
      sql: `${state.sliceDoc(0, query.to)}\nSELECT * FROM ${text(named)}`,
    });
    if (!is(at + 1, ",")) break;
    at += 2;
  }
  return parts;
}

/** The part that the caret is in. */
export function partAt(state: EditorState, caret: number): SqlPart | null {
  return partsOf(state).find((part) => part.from <= caret && caret <= part.to) ?? null;
}
