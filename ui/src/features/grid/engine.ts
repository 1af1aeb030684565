// Rows that the backend keeps, sorted, filtered, searched and added up there: none of them has to be here for that.

import { t } from "@lingui/core/macro";
import type { Page, ResultColumn, ResultHandle } from "../../host/bindings";
import { AppFailure, host } from "../../host/host";
import { roomNote } from "../../kit/format";
import { locale } from "../../kit/language";
import { rowTest } from "./filter";
import { type Origin, openOrigin, stopOrigin } from "./origin";
import { formattedValues } from "./shownAs";
import { PagedSource, type RowEngine } from "./source";

/** Most rows of a result that the backend keeps. */
export const ALL_ROWS = 10_000_000;
const POLL_MS = 250;

/** Why all rows are not there to be arranged. */
export const onlyPart = () => t`Only part of the result is loaded. Sort and filter in SQL with ORDER BY and WHERE.`;

/** An open result with all its rows: the one that is shown or, where a limit cut that, another one, opened when it is needed. */
export class WholeResult {
  private begun: Promise<ResultHandle> | null = null;
  private opened: Promise<ResultHandle> | null = null;
  /** The result whose rows are still being read. */
  private reading: string | null = null;
  /** The result that is arranged. */
  private known: string | null = null;
  private closed = false;
  private readonly shown: () => ResultHandle | null;
  readonly origin: Origin | null;

  constructor(shown: () => ResultHandle | null, origin: Origin | null) {
    this.shown = shown;
    this.origin = origin;
  }

  /** Waits for all rows. */
  async open(): Promise<ResultHandle> {
    const shown = this.shown();
    const handle = shown?.complete && !shown.truncated ? shown : await this.openAll();
    this.known = handle.resultId;
    return handle;
  }

  /** Opens a result without a row limit, which may still be read. */
  beginJob(): Promise<ResultHandle> {
    if (!this.origin) return Promise.reject(failure(onlyPart()));
    this.begun ??= openOrigin(this.origin, ALL_ROWS).catch((thrown) => {
      this.begun = null;
      throw thrown;
    });
    return this.begun;
  }

  private openAll(): Promise<ResultHandle> {
    this.opened ??= this.readAll().catch((thrown) => {
      this.opened = null;
      throw thrown;
    });
    return this.opened;
  }

  private async readAll(): Promise<ResultHandle> {
    let handle = await this.beginJob();
    this.reading = handle.resultId;
    try {
      while (!handle.complete && !this.closed) handle = await pollJob(handle);
    } finally {
      this.reading = null;
    }
    if (!this.closed && !handle.truncated) return handle;
    this.begun = null;
    void closeResult(handle.resultId);
    throw failure(roomNote(handle) ?? onlyPart());
  }

  /** Stops what is under way: the opening, the reading of all rows, or their arranging. */
  stop() {
    if (this.reading !== null)
      void host()
        .cancelResult(this.reading)
        .catch(() => {});
    else if (this.known !== null)
      void host()
        .stopArranging(this.known)
        .catch(() => {});
    else if (this.begun && this.origin) void stopOrigin(this.origin).catch(() => {});
  }

  close() {
    this.closed = true;
    this.stop();
    void this.begun?.then((handle) => closeResult(handle.resultId)).catch(() => {});
    this.begun = null;
    this.opened = null;
  }
}

export function failure(message: string): AppFailure {
  return new AppFailure({ code: "internal", message, hint: null, detail: null });
}

export async function closeResult(resultId: string) {
  await host()
    .closeResult(resultId)
    .catch(() => {});
}

/** The state of a result that is being read, a little later. */
export async function pollJob({ resultId }: ResultHandle): Promise<ResultHandle> {
  await new Promise((done) => setTimeout(done, POLL_MS));
  return host().resultStatus(resultId);
}

/** The engine of a result, or of an arrangement of it. */
export function resultEngine(whole: WholeResult, columns: ResultColumn[], view: string | null = null): RowEngine {
  const id = async () => (await whole.open()).resultId;
  return {
    readsAll: whole.origin !== null,
    async arrange({ sort, filters }, stopped) {
      const { resultId, rowCount: total } = await whole.open();
      stopped.throwIfAborted();
      const { view: made, rowCount } = await host().arrangeResult(resultId, {
        order: sort,
        filters: Object.entries(filters).map(([key, filter]) => {
          const column = columns[Number(key)]!;
          return { column: Number(key), test: rowTest(filter, column.type, formattedValues(column)) };
        }),
        locale: locale(),
      });
      const read = (offset: number, count: number): Promise<Page> =>
        host().arrangedRows(resultId, made, offset, count);
      return new PagedSource(columns, rowCount, read, "whole", resultEngine(whole, columns, made), total);
    },
    find: async (text, searched) => host().findInResult(await id(), view, text, searched),
    figures: async (column) => host().columnFigures(await id(), view, column, locale()),
    selection: async (from, to, selected) => host().selectionFigures(await id(), view, from, to, selected),
    stop: () => whole.stop(),
  };
}
