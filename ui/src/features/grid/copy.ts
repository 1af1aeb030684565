// Rows as text for other programs. Values are exact, whatever the grid shows.

import { t } from "@lingui/core/macro";
import type { ResultColumn } from "../../host/bindings";
import { isNumeric } from "../../kit/cell";
import type { Row } from "./source";

export type CopyFormat = "tsv" | "csv" | "html" | "markdown" | "json";

export const COPY_FORMATS: { format: CopyFormat; label: string }[] = [
  {
    format: "tsv",
    get label() {
      return t`Tab-separated text`;
    },
  },
  { format: "csv", label: "CSV" },
  {
    format: "html",
    get label() {
      return t`Formatted table`;
    },
  },
  {
    format: "markdown",
    label: "Markdown",
  },
  { format: "json", label: "JSON" },
];

/** Rows of the given columns, in their order. */
export function pickCells(rows: Row[], columns: number[]): Row[] {
  return rows.map((row) => columns.map((c) => row[c] ?? null));
}

/** `question` is written above the table in formats that are read as text, not where rows are pasted into cells. */
export function copyText(format: CopyFormat, columns: ResultColumn[], rows: Row[], question = ""): string {
  const names = columns.map((c) => c.name);
  if (format === "tsv") return toTsv(rows, names);
  if (format === "csv") return splitLines([names, ...rows], csvField, ",");
  if (format === "json") return toJson(columns, rows);
  const table = toMarkdown(columns, rows);
  const asked = question.trim().replace(/\s+/g, " ");
  return asked === "" ? table : `${asked.replace(/[\\`*_[\]<>#|]/g, "\\$&")}\n\n${table}`;
}

/** A table for a document or a message. Its values stay text where a spreadsheet takes it. */
export function toHtml(columns: ResultColumn[], rows: Row[], question = ""): string {
  const aligned = columns.map(({ type }) =>
    isNumeric(type) ? ' style="text-align:right"' : ` style='mso-number-format:"\\@"'`,
  );
  const row = (cells: (string | null)[], tag: "th" | "td") =>
    `<tr>${cells.map((cell, c) => `<${tag}${aligned[c]}>${escaped(cell ?? "")}</${tag}>`).join("")}</tr>`;
  const head = row(
    columns.map(({ name }) => name),
    "th",
  );
  const asked = question.trim() === "" ? "" : `<p>${escaped(question.trim())}</p>`;
  return `${asked}<table><thead>${head}</thead><tbody>${rows.map((cells) => row(cells, "td")).join("")}</tbody></table>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!).replace(/\r\n|\r|\n/g, "<br>");
}

/** For a spreadsheet. A value with a tab, quote or line break is quoted. */
export function toTsv(rows: Row[], names?: string[]): string {
  return splitLines(names ? [names, ...rows] : rows, tsvField, "\t");
}

function splitLines(rows: Row[], field: (value: string | null) => string, separator: string): string {
  return rows.map((row) => row.map(field).join(separator)).join("\n");
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

function tsvField(value: string | null): string {
  return value !== null && /[\t\n\r"]/.test(value) ? quoted(value) : (value ?? "");
}

/** NULL is nothing, the empty text two quotes. */
function csvField(value: string | null): string {
  if (value === null) return "";
  return value === "" || /[,;\n\r"]|^\s|\s$/.test(value) ? quoted(value) : value;
}

function toMarkdown(columns: ResultColumn[], rows: Row[]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const field = (value: string | null) =>
    (value ?? "")
      .replaceAll("\\", "\\\\")
      .replaceAll("|", "\\|")
      .replace(/\r\n|\r|\n/g, "<br>");
  return [
    line(columns.map((c) => field(c.name))),
    line(columns.map((c) => (isNumeric(c.type) ? "---:" : "---"))),
    ...rows.map((row) => line(row.map(field))),
  ].join("\n");
}

/** A list of objects. Numbers keep all their digits; a name that occurs twice is numbered. */
function toJson(columns: ResultColumn[], rows: Row[]): string {
  const names = distinctNames(columns.map((c) => c.name)).map((name) => JSON.stringify(name));
  const objects = rows.map(
    (row) => `  {${row.map((value, c) => `${names[c]}: ${jsonValue(columns[c]!.type, value)}`).join(", ")}}`,
  );
  return rows.length === 0 ? "[]" : `[\n${objects.join(",\n")}\n]`;
}

function jsonValue(type: ResultColumn["type"], value: string | null): string {
  if (value === null) return "null";
  if (isNumeric(type) && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return value;
  if (type === "boolean" && /^(true|false)$/.test(value)) return value;
  if (type === "nested" && isValidXml(value)) return value;
  return JSON.stringify(value);
}

function isValidXml(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function distinctNames(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
    taken.add(free);
    return free;
  });
}
