// The grain of a query's result, if the query groups by one or two columns.

import type { Dialect } from "../../../host/bindings";
import { editorDialect } from "../../../kit/sqlDialect";

/** A column, with or without what it belongs to. */
const COLUMN = /^(?:(?:[\p{L}\p{N}_$]+|"[^"]+"|`[^`]+`)\s*\.\s*)*(?:([\p{L}_][\p{L}\p{N}_$]*)|"([^"]+)"|`([^`]+)`)$/u;
/** Placeholders for columns. */
const NO_COLUMN = /^(?:all|cube|rollup|grouping|distinct|null|true|false)$/i;
const ENDS = [";", "HAVING", "ORDER", "LIMIT", "WINDOW", "QUALIFY", "FETCH", "OFFSET", "FOR", "SETTINGS"];
/** With more than one query, their groups are not the groups of the result. */
const JOINS = ["UNION", "INTERSECT", "EXCEPT", "MINUS"];

/** Longer queries are not read for it. */
const LONGEST = 40_000;

/** The columns that the outermost query has one row for each of; none where it does not say so. */
export function rowsFor(sql: string, dialect: Dialect | null): string[] {
  if (sql.length > LONGEST) return [];
  const statement = editorDialect(dialect).language.parser.parse(sql).topNode.getChild("Statement");
  const parts: { from: number; to: number }[] = [];
  for (let node = statement?.firstChild; node; node = node.nextSibling) {
    if (!node.name.endsWith("Comment")) parts.push({ from: node.from, to: node.to });
  }
  // Text in parentheses is one part, so these are the words of the outermost query alone.
  const words = parts.map(({ from, to }) => sql.slice(from, to));
  const is = (at: number, ...any: string[]) => any.includes(words[at]?.toUpperCase() ?? "");
  if (words.some((_, at) => is(at, ...JOINS))) return [];
  const by = words.findLastIndex((_, at) => is(at, "BY") && is(at - 1, "GROUP"));
  if (by === -1) return [];
  const end = words.findIndex((_, at) => at > by && is(at, ...ENDS));
  const last = end === -1 ? parts.length - 1 : end - 1;
  if (last <= by) return [];
  const columns = sql.slice(parts[by + 1]!.from, parts[last]!.to).split(",");
  const names = columns.map((text) => {
    const [, plain, quoted, ticked] = COLUMN.exec(text.trim()) ?? [];
    return plain !== undefined && NO_COLUMN.test(plain) ? undefined : (plain ?? quoted ?? ticked);
  });
  return names.length <= 2 && names.every((name) => name !== undefined) ? names : [];
}
