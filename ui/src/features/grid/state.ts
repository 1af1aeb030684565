// Results of statements: opened in the backend, read in pages, closed when nobody looks.

import { useEffect, useMemo, useRef, useState } from "react";
import type { AppError, Page, ResultHandle } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { PagedSource, pageSource, type RowSource } from "./source";

export interface OpenResult {
  source: PagedSource;
  handle: ResultHandle;
}

export interface ResultState {
  status: "idle" | "opening" | "open" | "failed";
  result: OpenResult | null;
  error: AppError | null;
}

const IDLE: ResultState = { status: "idle", result: null, error: null };
const POLL_MS = 250;

/** Runs a statement and keeps its result open until the next one, or until the caller goes. */
export function useResult(warehouse: string) {
  const [state, setState] = useState<ResultState>(IDLE);
  const current = useRef(0);
  const open = useRef<string | null>(null);
  const [last, setLast] = useState("");

  const close = () => {
    current.current++;
    if (open.current)
      void host()
        .closeResult(open.current)
        .catch(() => {});
    open.current = null;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: on leaving only
  useEffect(() => close, []);

  const run = async (sql: string, rowLimit: number) => {
    close();
    const mine = current.current;
    setLast(sql);
    setState({ status: "opening", result: null, error: null });
    try {
      const handle = await host().openResult(warehouse, sql, rowLimit);
      if (mine !== current.current) {
        void host()
          .closeResult(handle.resultId)
          .catch(() => {});
        return;
      }
      open.current = handle.resultId;
      const source = new PagedSource(handle.columns, handle.rowCount, (offset, count) =>
        host().resultRows(handle.resultId, offset, count),
      );
      setState({ status: "open", result: { source, handle }, error: null });
      void follow(mine, handle, source);
    } catch (thrown) {
      if (mine === current.current) setState({ status: "failed", result: null, error: toAppError(thrown) });
    }
  };

  const follow = async (mine: number, started: ResultHandle, source: PagedSource) => {
    let handle = started;
    while (!handle.complete && mine === current.current) {
      await new Promise((done) => setTimeout(done, POLL_MS));
      if (mine !== current.current) return;
      try {
        handle = await host().resultStatus(started.resultId);
      } catch (thrown) {
        if (mine === current.current) setState((s) => ({ ...s, error: toAppError(thrown) }));
        return;
      }
      source.grow(handle.rowCount);
      if (mine === current.current) setState({ status: "open", result: { source, handle }, error: null });
    }
  };

  const stop = () => {
    if (open.current)
      void host()
        .cancelResult(open.current)
        .catch(() => {});
    else {
      // Still opening: its first rows will not be shown.
      current.current++;
      setState(IDLE);
    }
  };

  return { state, run, stop, last };
}

/**
 * The rows of an answer: those that came with the run at once, the rest by running its SQL again when someone scrolls
 * there. Without SQL there are no more than those.
 */
export function useAnswerSource(page: Page, warehouse: string, sql: string | null): RowSource {
  const made = useMemo(() => {
    if (sql === null || page.rows.length >= page.rowCount) return { source: pageSource(page), close: () => {} };
    let opened: Promise<ResultHandle> | null = null;
    const rest = async (offset: number, count: number): Promise<Page> => {
      opened ??= host().openResult(warehouse, sql, page.rowCount);
      let handle = await opened;
      while (!handle.complete && handle.rowCount < offset + count) {
        await new Promise((done) => setTimeout(done, POLL_MS));
        handle = await host().resultStatus(handle.resultId);
      }
      return host().resultRows(handle.resultId, offset, count);
    };
    const source = new PagedSource(page.columns, page.rowCount, async (offset, count) => {
      const end = Math.min(offset + count, page.rowCount);
      if (end <= page.rows.length) return { ...page, rows: page.rows.slice(offset, end) };
      return rest(offset, count);
    });
    const close = () => {
      void opened?.then((handle) => host().closeResult(handle.resultId)).catch(() => {});
      opened = null;
    };
    return { source, close };
  }, [page, warehouse, sql]);
  useEffect(() => made.close, [made]);
  return made.source;
}
