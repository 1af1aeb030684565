// Where a text is wrong, as the message about it says.

import type { Dialect } from "../../host/bindings";

/** Both count from 1. */
export interface EditorPosition {
  line: number;
  /** Null where only the line is known. */
  column: number | null;
}

/** As the program itself says it, in each of its languages. */
const OWN = /\b(?:line|Zeile|ligne):? (\d+), (?:column|Spalte|colonne):? (\d+)/i;

/** In the code of an answer: the program says the line. */
export function placeInCode(message: string): EditorPosition | null {
  const said = /\b(?:line|Zeile|ligne) (\d+)/i.exec(message);
  return said && { line: Number(said[1]), column: null };
}

/** In a query. A database counts from where the statement begins: blanks and semicolons before it are not sent. */
export function placeInSql(message: string, sql: string, dialect: Dialect | null): EditorPosition | null {
  const own = OWN.exec(message);
  if (own) return { line: Number(own[1]), column: Number(own[2]) };
  const before = /^[\s;]*/.exec(sql)![0];
  const sent = sql.slice(before.length);
  const place = atCharacter(message, sent, dialect) ?? inWords(message, sent, dialect);
  if (place === null) return null;
  const above = before.split("\n");
  const { line, column } = place;
  return {
    line: line + above.length - 1,
    column: column !== null && line === 1 ? column + above.at(-1)!.length : column,
  };
}

/** PostgreSQL counts characters, SQLite bytes. */
function atCharacter(message: string, sent: string, dialect: Dialect | null): EditorPosition | null {
  const said = /\(at character (\d+)\)/.exec(message);
  if (!said) return null;
  let left = Number(said[1]) - 1;
  let line = 1;
  let column = 1;
  for (const char of sent) {
    if (left <= 0) return { line, column };
    left -= dialect === "sqlite" ? bytesOf(char) : 1;
    if (char === "\n") {
      line += 1;
      column = 1;
    } else column += char.length;
  }
  // An error at the end of the text is marked at its last character.
  return left <= 0 ? { line, column } : null;
}

/** Of one character in UTF-8. */
function bytesOf(char: string): number {
  const code = char.codePointAt(0)!;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** A line and perhaps a column, as the other databases say them. */
function inWords(message: string, sent: string, dialect: Dialect | null): EditorPosition | null {
  // Their messages name lines of values only.
  if (dialect === "postgres" || dialect === "sqlite") return null;
  if (dialect === "bigquery") {
    const said = /\[(\d+):(\d+)\]/.exec(message);
    return said && { line: Number(said[1]), column: Number(said[2]) };
  }
  const all = [...message.matchAll(/\bline:?\s*(\d+)(?:[\s,]+(?:at )?(col|pos)[a-z]*:?\s*(\d+))?/gi)];
  const said = all.find((match) => match[3] !== undefined) ?? all[0];
  if (!said) return null;
  const line = Number(said[1]);
  if (said[3] === undefined) return { line, column: underSign(message, sent, line) };
  // A position counts from 0.
  return { line, column: Number(said[3]) + (said[2]!.toLowerCase() === "pos" ? 1 : 0) };
}

/** DuckDB repeats the line and puts a sign below the place; of a long line it repeats a part only. */
function underSign(message: string, sent: string, line: number): number | null {
  const said = /^(LINE \d+: )(.*)\n( *)\^/m.exec(message);
  if (!said || said[2] !== sent.split("\n")[line - 1]) return null;
  const column = said[3]!.length - said[1]!.length + 1;
  return column >= 1 ? column : null;
}
