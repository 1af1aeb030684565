// The names of a catalog's tables and columns, found as they are typed.

import type { Catalog, FoundName, TableName } from "../host/bindings";

export function tableLabel(name: TableName): string {
  return [name.catalog, name.schema, name.name].filter(Boolean).join(".");
}

interface NameIndex {
  found: FoundName[];
  lower: string[];
}

const known = new WeakMap<Catalog, NameIndex>();

/** All names once, tables first. Made once for a catalog: a large one has half a million columns. */
function namesOf(catalog: Catalog): NameIndex {
  const made = known.get(catalog);
  if (made) return made;
  const found: FoundName[] = [];
  const columns = new Map<string, FoundName>();
  for (const table of catalog.tables) {
    const label = tableLabel(table.name);
    found.push({ name: table.name.name, kind: "table", table: label, more: 0 });
    for (const { name } of table.columns) {
      const column = columns.get(name);
      if (column) column.more += 1;
      else columns.set(name, { name, kind: "column", table: label, more: 0 });
    }
  }
  for (const column of columns.values()) found.push(column);
  const names = { found, lower: found.map(({ name }) => name.toLowerCase()) };
  known.set(catalog, names);
  return names;
}

/** Reads the names of a catalog before the first is looked for. */
export function prepareNames(catalog: Catalog) {
  namesOf(catalog);
}

/** Ranks a match, 0 is best: prefix, prefix of a word, substring, letters in order. */
function rankMatch(name: string, typed: string): number | null {
  const at = name.indexOf(typed);
  if (at === 0) return 0;
  if (at > 0) return /[_\s.-]/.test(name[at - 1]!) ? 1 : 2;
  let from = 0;
  for (const letter of typed) {
    from = name.indexOf(letter, from) + 1;
    if (from === 0) return null;
  }
  return 3;
}

/** The names that fit what was typed: the best first, among equals tables before columns and short ones before long ones. */
export function findNames(catalog: Catalog, typed: string, most: number): FoundName[] {
  const { found, lower } = namesOf(catalog);
  const wanted = typed.toLowerCase();
  if (wanted === "") return found.slice(0, most);
  const ranks: number[][] = [[], [], [], []];
  for (let at = 0; at < lower.length; at += 1) {
    const rank = rankMatch(lower[at]!, wanted);
    if (rank !== null) ranks[rank]!.push(at);
  }
  const tables = (at: number) => (found[at]!.kind === "table" ? 0 : 1);
  const best: FoundName[] = [];
  for (const rank of ranks) {
    if (best.length >= most) break;
    // With very many equal matches only the first of the catalog are sorted: sorting all would take too long.
    const fitting = rank.length > 5_000 ? rank.slice(0, 5_000) : rank;
    fitting.sort((a, b) => tables(a) - tables(b) || lower[a]!.length - lower[b]!.length || a - b);
    best.push(...fitting.slice(0, most - best.length).map((at) => found[at]!));
  }
  return best;
}
