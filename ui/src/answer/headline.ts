// The headline of an answer. The highest value, the columns that name a row and the meaning of a number come from Rust
// (`Headline`); here it becomes words, with values as the grid shows them. No model writes any of it.

import { plural, t } from "@lingui/core/macro";
import type { Extreme, Headline, Page, ResultColumn, ResultHandle } from "../host/bindings";
import { clipText, joinClauses, listText } from "../kit/format";
import { grainOf, periodText, pointsOf } from "../kit/period";
import { integerKind, showOf } from "../kit/show";
import { valueLabel } from "./answer";

/** Names that share a place, before "and 3 more". */
const NAMED = 3;
const LONGEST = 80;

/** A column name that is not an expression. */
const GIVEN = /^[\p{L}\p{N}_ ]+$/u;

/** Headers in place of expressions such as `count_star()`; null if a column has a name. */
export function headerNames({ columns }: Page, headline: Headline | null): (string | null)[] {
  return columns.map(({ name }, at) => (GIVEN.test(name) ? null : (headline?.meanings[at] ?? null)));
}

/** A column as a reader says it: its name, or what the query computes where it has none. */
export function columnLabel(column: ResultColumn, meaning: string | null | undefined): string {
  if (GIVEN.test(column.name)) return column.name.replaceAll("_", " ").trim();
  return meaning ?? valueLabel(column.name);
}

/** The label of a single value: "Number of distinct customers". */
export function valueMeaning(column: ResultColumn, headline: Headline | null): string {
  const meaning = headline?.meanings[0];
  const text = meaning ?? columnLabel(column, null);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The rows behind a single value: "From orders, where status is “paid”". */
export function valueScope(headline: Headline | null): string {
  if (!headline) return "";
  const from = listText(headline.tables.map((name) => name.replaceAll("_", " ")));
  const where = listText(headline.conditions);
  if (from === "") return where === "" ? "" : t`Where ${where}`;
  return where === "" ? t`From ${from}` : t`From ${from}, where ${where}`;
}

/** Rows of a result: those of the answer, or more of them that were loaded since. */
export type RowCount = Pick<Page, "rowCount" | "truncated">;

/** The row count after more rows were loaded; the answer's own until all of them are loaded. */
export function loadedCount(
  page: RowCount,
  loaded: Pick<ResultHandle, "rowCount" | "truncated" | "complete"> | null,
) {
  return loaded?.complete && loaded.rowCount >= page.rowCount ? loaded : page;
}

/** The line above the rows of an answer. `counted` is how many rows there are, if more were loaded. */
export function headlineText(
  headline: Headline | null,
  page: Page,
  locale?: string,
  counted: RowCount = page,
): string {
  const rows = rowsInWords(counted);
  if (page.rowCount === 0 || page.columns.length === 0) return t`No rows`;
  if (!headline) return rows;
  const say = new HeadlineWriter(headline, page, locale);
  switch (headline.shape) {
    case "empty":
      return t`No rows`;
    case "value":
      return say.cellText(0, 0);
    case "row":
      return say.rowText();
    case "series":
      return say.seriesText();
    case "ranked":
      return say.rankedText(rowsInParentheses(counted));
    case "rows":
      return headline.labels.length === 1 && !page.truncated
        ? t`${rows}, one per ${say.columnName(headline.labels[0]!)}`
        : rows;
  }
}

function rowsInWords({ rowCount, truncated }: RowCount): string {
  return truncated
    ? plural(rowCount, { one: "The first row; more exist", other: "The first # rows; more exist" })
    : plural(rowCount, { one: "# row", other: "# rows" });
}

function rowsInParentheses({ rowCount, truncated }: RowCount): string {
  return truncated
    ? plural(rowCount, { one: "first row; more exist", other: "first # rows; more exist" })
    : plural(rowCount, { one: "# row", other: "# rows" });
}

class HeadlineWriter {
  constructor(
    private readonly headline: Headline,
    private readonly page: Page,
    private readonly locale: string | undefined,
  ) {}

  columnName(column: number): string {
    return columnLabel(this.page.columns[column]!, this.headline.meanings[column]);
  }

  cellText(row: number, column: number): string {
    const value = this.page.rows[row]?.[column] ?? null;
    if (value === null) return t`no value`;
    return clipText(showOf(this.page.columns[column]!, this.locale)(value), LONGEST);
  }

  /** The label of a row; months as months. */
  rowLabel(row: number): string {
    return this.headline.labels.map((at) => this.labelPart(row, at)).join(", ");
  }

  private labelPart(row: number, at: number): string {
    const value = this.page.rows[row]?.[at] ?? null;
    const grainOfColumn = this.grain(at);
    if (value === null || !grainOfColumn)
      return value === null ? t`no ${this.columnName(at)}` : this.cellText(row, at);
    return periodText(grainOfColumn, showOf(this.page.columns[at]!, this.locale), this.locale)(value);
  }

  private grain(at: number) {
    const column = this.page.columns[at]!;
    const years = this.headline.shape === "series" || integerKind(column.name) === "year";
    return grainOf(
      this.page.rows.map((row) => row[at] ?? null),
      column.type,
      years,
    );
  }

  rowText(): string {
    const { measure, labels } = this.headline;
    if (measure !== null && labels.length > 0 && this.page.columns.length === labels.length + 1)
      return t`${this.rowLabel(0)}: ${this.cellText(0, measure)} (${this.columnName(measure)})`;
    const shown = this.page.columns.slice(0, 4).map((_, at) => t`${this.columnName(at)}: ${this.cellText(0, at)}`);
    return joinClauses(this.page.columns.length > 4 ? [...shown, "…"] : shown);
  }

  seriesText(): string {
    const { labels, measure, highest, lowest } = this.headline;
    const grain = this.grain(labels[0]!);
    const last = this.page.rows.length - 1;
    const [from, to] = [this.rowLabel(0), this.rowLabel(last)];
    const [first, end] =
      (this.page.rows[0]?.[labels[0]!] ?? "") <= (this.page.rows[last]?.[labels[0]!] ?? "") ? [from, to] : [to, from];
    const span = t`${pointsOf(this.page.rows.length, grain)}, ${first} to ${end}`;
    if (measure === null || !highest || !lowest) return span;
    if (highest.rows === this.page.rows.length)
      return t`${span}: ${this.columnName(measure)} is always ${this.cellText(0, measure)}`;
    return t`${span}: ${this.columnName(measure)} highest in ${this.holderNames(highest)} (${this.cellText(highest.row, measure)}), lowest in ${this.holderNames(lowest)} (${this.cellText(lowest.row, measure)})`;
  }

  rankedText(rows: string): string {
    const { highest, lowest, measure } = this.headline;
    const at = measure!;
    const end = highest ?? lowest!;
    if (highest && lowest && highest.rows === this.page.rows.length)
      return t`${this.columnName(at)} is ${this.cellText(highest.row, at)} in every row (${rows})`;
    const name = this.columnName(at);
    const [who, value] = [this.holderNames(end), this.cellText(end.row, at)];
    if (highest && lowest) {
      const [other, least] = [this.holderNames(lowest), this.cellText(lowest.row, at)];
      return plural(highest.rows, {
        one: `${who} has the highest ${name}: ${value}; lowest: ${least} for ${other} (${rows})`,
        other: `${who} have the highest ${name}: ${value}; lowest: ${least} for ${other} (${rows})`,
      });
    }
    return highest
      ? plural(end.rows, {
          one: `${who} has the highest ${name}: ${value} (${rows})`,
          other: `${who} have the highest ${name}: ${value} (${rows})`,
        })
      : plural(end.rows, {
          one: `${who} has the lowest ${name}: ${value} (${rows})`,
          other: `${who} have the lowest ${name}: ${value} (${rows})`,
        });
  }

  /** The rows that share a value. */
  private holderNames({ row, rows }: Extreme): string {
    const { measure } = this.headline;
    const value = this.page.rows[row]?.[measure!];
    // Texts that are written differently may be the same number: then only the count is certain.
    const same = this.page.rows.flatMap((cells, at) => (cells[measure!] === value ? [at] : []));
    const names = same.slice(0, NAMED).map((at) => this.rowLabel(at));
    if (rows > names.length) return t`${joinClauses(names)} and ${rows - names.length} more`;
    return names.length < 2 ? (names[0] ?? "") : t`${joinClauses(names.slice(0, -1))} and ${names.at(-1) ?? ""}`;
  }
}
