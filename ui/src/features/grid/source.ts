// Rows on demand. The grid requests ranges; a source caches the pages near the view.

import type {
  ColumnFigures,
  Page,
  ResultColumn,
  ResultHandle,
  SearchedColumn,
  SelectionFigures,
} from "../../host/bindings";
import type { LayoutChange } from "./layout";
import type { Cell } from "./select";

export type Row = Page["rows"][number];

export const PAGE_ROWS = 200;
const KEPT_PAGES = 60;
/** Pages that are fetched at a time. Who scrolls on meanwhile gets those where the scrolling ends, and not all on the way. */
const AT_A_TIME = 2;
/** Rows of one request where many are read, to copy or count them: by pages, 50,000 would take 250 requests one after another. */
export const READ_ROWS = 2_000;

/** True if the rows are the whole result, are still being read, or are all that a limit let through. */
export type Extent = "whole" | "reading" | "part";

/** Sorts, filters, searches and sums rows that are stored elsewhere. */
export interface RowEngine {
  /** True if the query can be run again without its row limit. */
  readonly readsAll: boolean;
  /** The rows in an order, and those that pass filters. */
  arrange(look: LayoutChange, stopped: AbortSignal): Promise<RowSource>;
  /** The first cells with a text. */
  find(text: string, columns: SearchedColumn[]): Promise<Cell[]>;
  figures(column: number): Promise<ColumnFigures>;
  /** Figures about cells in the rows from one to before another. */
  selection(from: number, to: number, columns: number[]): Promise<SelectionFigures>;
  /** Stops arranging. */
  stop(): void;
}

export interface RowSource {
  readonly columns: ResultColumn[];
  readonly rowCount: number;
  readonly extent: Extent;
  /** All rows, if they are loaded. */
  readonly all?: Row[];
  /** Arranges rows that are not loaded completely. */
  readonly engine?: RowEngine;
  /** Rows of the whole result, if these are an arrangement of it. */
  readonly total?: number;
  /** The row, if it is loaded. */
  row(index: number): Row | undefined;
  /** Loads the rows of a range and notifies the listeners. */
  requestRows(from: number, to: number): void;
  /** Rows of a range, waiting for them: for copying. */
  read(from: number, to: number): Promise<Row[]>;
  subscribe(listener: () => void): () => void;
}

/** Rows of a loaded page. */
export function pageSource(page: Page, engine?: RowEngine): RowSource {
  return { ...pageRows(page.columns, page.rows, page.truncated ? "part" : "whole"), engine };
}

export function pageRows(columns: ResultColumn[], rows: Row[], extent: Extent = "whole"): RowSource {
  return {
    columns,
    rowCount: rows.length,
    extent,
    all: rows,
    row: (index) => rows[index],
    requestRows: () => {},
    read: async (from, to) => rows.slice(from, to),
    subscribe: () => () => {},
  };
}

/** A value of a column as an example: the first of the rows that are loaded at the top. */
export function firstValue(source: RowSource, column: number): string | null {
  for (let r = 0; r < Math.min(PAGE_ROWS, source.rowCount); r++) {
    const value = source.row(r)?.[column];
    if (value) return value;
  }
  return null;
}

/** The state of the rows of an open result. */
export function extentOf(result: Pick<ResultHandle, "complete" | "truncated">): Extent {
  if (!result.complete) return "reading";
  return result.truncated ? "part" : "whole";
}

/** Rows that are fetched in pages. `rowCount` may grow while the backend reads on. */
export class PagedSource implements RowSource {
  readonly columns: ResultColumn[];
  rowCount: number;
  extent: Extent;
  readonly engine?: RowEngine;
  readonly total?: number;
  failed: unknown = null;
  private readonly fetchPage: (offset: number, count: number) => Promise<Page>;
  private readonly pages = new Map<number, Row[]>();
  private readonly coming = new Map<number, Promise<void>>();
  /** The first and the last page in view. */
  private wanted: [number, number] = [0, -1];
  private readonly listeners = new Set<() => void>();

  constructor(
    columns: ResultColumn[],
    rowCount: number,
    fetchPage: (offset: number, count: number) => Promise<Page>,
    extent: Extent = "whole",
    engine?: RowEngine,
    total?: number,
  ) {
    this.engine = engine;
    this.total = total;
    this.columns = columns;
    this.rowCount = rowCount;
    this.fetchPage = fetchPage;
    this.extent = extent;
  }

  row(index: number): Row | undefined {
    const number = Math.floor(index / PAGE_ROWS);
    const page = this.pages.get(number);
    if (!page) return undefined;
    return page[index - number * PAGE_ROWS];
  }

  requestRows(from: number, to: number) {
    const first = Math.floor(Math.max(0, from) / PAGE_ROWS);
    const last = Math.floor(Math.max(0, Math.min(to, this.rowCount) - 1) / PAGE_ROWS);
    this.wanted = [first, last];
    this.loadWanted();
  }

  private loadWanted() {
    const [first, last] = this.wanted;
    for (let page = first; page <= last; page++) {
      if (this.pages.has(page) || this.coming.size < AT_A_TIME) void this.load(page);
    }
  }

  async read(from: number, to: number): Promise<Row[]> {
    const rows: Row[] = [];
    const end = Math.min(to, this.rowCount);
    for (let left = end - from; left > PAGE_ROWS; left = end - from - rows.length) {
      const { rows: part } = await this.fetchPage(from + rows.length, Math.min(READ_ROWS, left));
      if (part.length === 0) return rows;
      rows.push(...part);
    }
    for (let at = from + rows.length; at < end; ) {
      const number = Math.floor(at / PAGE_ROWS);
      await this.load(number);
      const page = this.pages.get(number);
      if (!page) throw this.failed ?? new Error("rows could not be read");
      const stop = Math.min(end, (number + 1) * PAGE_ROWS);
      const part = page.slice(at - number * PAGE_ROWS, stop - number * PAGE_ROWS);
      if (part.length === 0) break;
      rows.push(...part);
      at = stop;
    }
    return rows;
  }

  subscribe(listener: () => void) {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** The backend has read more rows: a last, short page is stale. */
  growTo(rowCount: number, extent: Extent = this.extent) {
    if (rowCount === this.rowCount && extent === this.extent) return;
    if (rowCount !== this.rowCount) this.pages.delete(Math.floor(this.rowCount / PAGE_ROWS));
    this.rowCount = rowCount;
    this.extent = extent;
    this.notifyListeners();
  }

  private async load(number: number) {
    const known = this.pages.get(number);
    if (known) {
      // Used again: the last one to be evicted.
      this.pages.delete(number);
      this.pages.set(number, known);
      return;
    }
    const already = this.coming.get(number);
    if (already) return already;
    const work = this.fetchPage(number * PAGE_ROWS, PAGE_ROWS)
      .then((page) => {
        this.pages.set(number, page.rows);
        this.failed = null;
        while (this.pages.size > KEPT_PAGES) this.pages.delete(this.pages.keys().next().value!);
        this.coming.delete(number);
        this.loadWanted();
        this.notifyListeners();
      })
      .catch((thrown) => {
        this.failed = thrown;
        this.notifyListeners();
      })
      .finally(() => this.coming.delete(number));
    this.coming.set(number, work);
    return work;
  }

  private notifyListeners() {
    for (const listener of this.listeners) listener();
  }
}
