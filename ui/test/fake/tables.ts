// One table as the program shows it besides its profile: rows, and its text in prompts. And catalogs of any size.

import type { Catalog, Page, Profile, SampleRows, Table, TableName, TableText } from "../../src/host/bindings";
import { AppFailure } from "../../src/host/host";
import { CATALOG, PROFILE, REMOTES } from "./data";
import { page } from "./writer";

const same = (a: TableName, b: TableName) => JSON.stringify(a) === JSON.stringify(b);

/** Rows made of the values that the profile knows. */
export async function fakeRows(catalog: Catalog, name: TableName): Promise<SampleRows> {
  const table = catalog.tables.find((t) => same(t.name, name));
  if (!table) {
    throw new AppFailure({
      code: "notFound",
      message: `Table ${name.name} not found in retail`,
      hint: null,
      detail: null,
    });
  }
  const known = PROFILE.tables.find((t) => same(t.table, name));
  const rows = Math.min(50, table.rowCount ?? 0);
  const cell = (column: string, row: number) => {
    const samples = known?.columns.find((c) => c.name === column)?.samples ?? [];
    return samples.length > 0 ? samples[row % samples.length]! : String(row + 1);
  };
  const made: Page = page(
    table.columns.map((c): [string, "integer" | "decimal" | "text"] => [
      c.name,
      /INT/.test(c.dataType) ? "integer" : /DEC/.test(c.dataType) ? "decimal" : "text",
    ]),
    Array.from({ length: rows }, (_, row) => table.columns.map((c) => cell(c.name, row))),
    rows,
  );
  return {
    page: { ...made, truncated: rows < (table.rowCount ?? 0) },
    sql: `SELECT * FROM ${name.name} LIMIT 50`,
  };
}

/** The text of a table for a model: one behind an address is told no values of personal columns. */
export async function fakeText(name: TableName, model: string): Promise<TableText> {
  const table = CATALOG.tables.find((t) => same(t.name, name))!;
  const remote = REMOTES.some(({ id }) => id === model);
  const known = PROFILE.tables.find((t) => same(t.table, name));
  const masked = remote
    ? table.columns.map((c) => c.name).filter((c) => ["full_nm", "email", "mobile"].includes(c))
    : [];
  const lines = table.columns.map(({ name, dataType }) => {
    const samples = masked.includes(name) ? [] : (known?.columns.find((c) => c.name === name)?.samples ?? []);
    return `  ${name} ${dataType},${
      samples.length > 0
        ? ` -- e.g. ${samples
            .slice(0, 3)
            .map((s) => `'${s}'`)
            .join(", ")}`
        : ""
    }`;
  });
  const text = `CREATE TABLE ${name.name} ( -- ${table.rowCount} rows\n${lines.join("\n")}\n);\n`;
  return {
    text,
    listed: remote ? `# Table: ${name.name}\n[\n${lines.join("\n")}\n]\n` : null,
    tokens: Math.ceil(text.length / 4),
    budget: 3_000,
    members: /^targets_/.test(name.name) ? ["targets_2023", "targets_2024", "targets_2025"] : [name.name],
    level: remote ? "samples" : null,
    masked,
    profiled: true,
  };
}

const COLUMNS = 12;

/** A catalog of so many tables, each of which refers to one before it; every third key is inferred. */
export function manyTables(tables: number): { catalog: Catalog; profile: Profile } {
  const first = CATALOG.tables[0]!;
  const name = (n: number): TableName => ({ catalog: null, schema: null, name: `t_${n}` });
  const made = Array.from({ length: tables }, (_, n): Table => {
    const to = Math.floor((n - 1) / 3);
    const key = { columns: ["c_1"], refTable: name(to), refColumns: ["c_0"] };
    return {
      ...first,
      name: name(n),
      comment: n % 7 === 0 ? `What the department ${n} counts` : null,
      rowCount: 1_000 + n,
      columns: Array.from({ length: COLUMNS }, (_, c) => ({
        ...first.columns[0]!,
        name: `c_${c}`,
        comment: c === 5 ? `Measure ${n * COLUMNS + c}` : null,
      })),
      primaryKey: ["c_0"],
      foreignKeys: n === 0 || n % 10 === 9 ? [] : [key],
    };
  });
  return {
    catalog: { ...CATALOG, fingerprint: String(tables), tables: made },
    profile: { fingerprint: String(tables), complete: true, tables: [] },
  };
}
