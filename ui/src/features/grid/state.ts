// Results of statements: opened in the backend, read in pages, closed when no longer shown.

import { useEffect, useMemo, useRef, useState } from "react";
import type { AppError, Page, ResultHandle } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { roomNote } from "../../kit/format";
import { closeResult, failure, pollJob, resultEngine, WholeResult } from "./engine";
import { type Origin, openOrigin, stopOrigin } from "./origin";
import { extentOf, PagedSource, pageSource, type RowSource } from "./source";

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

/** Opens rows and keeps them open until the next ones, or until the caller unmounts. */
export function useResult() {
  const [state, setState] = useState<ResultState>(IDLE);
  const current = useRef(0);
  const open = useRef<string | null>(null);
  const opening = useRef<Origin | null>(null);
  const whole = useRef<WholeResult | null>(null);
  const [last, setLast] = useState<Origin | null>(null);

  /** Forgets the rows; an opening in progress is stopped, and a new opening of the same rows waits for the end. */
  const close = async () => {
    current.current++;
    if (open.current) void closeResult(open.current);
    open.current = null;
    whole.current?.close();
    whole.current = null;
    const stopped = opening.current && stopOrigin(opening.current);
    opening.current = null;
    await stopped;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: on leaving only
  useEffect(() => () => void close(), []);

  const run = async (origin: Origin, rowLimit: number) => {
    const closed = close();
    const mine = current.current;
    setLast(origin);
    setState({ status: "opening", result: null, error: null });
    await closed;
    if (mine !== current.current) return;
    opening.current = origin;
    try {
      const handle = await openOrigin(origin, rowLimit);
      if (mine !== current.current) {
        void closeResult(handle.resultId);
        return;
      }
      opening.current = null;
      take(mine, handle, origin);
    } catch (thrown) {
      if (mine !== current.current) return;
      opening.current = null;
      setState({ status: "failed", result: null, error: toAppError(thrown) });
    }
  };

  const take = (mine: number, started: ResultHandle, origin: Origin | null) => {
    let handle = started;
    open.current = handle.resultId;
    const all = new WholeResult(() => handle, origin);
    whole.current = all;
    const source = new PagedSource(
      handle.columns,
      handle.rowCount,
      (offset, count) => host().resultRows(handle.resultId, offset, count),
      extentOf(handle),
      resultEngine(all, handle.columns),
    );
    setState({ status: "open", result: { source, handle }, error: null });
    void follow(mine, handle, source, (now) => {
      handle = now;
    });
  };

  /** Shows rows that something else has opened. */
  const show = (handle: ResultHandle) => {
    void close();
    take(current.current, handle, null);
  };

  const clear = () => {
    void close();
    setState(IDLE);
  };

  const follow = async (
    mine: number,
    started: ResultHandle,
    source: PagedSource,
    tell: (handle: ResultHandle) => void,
  ) => {
    let handle = started;
    while (!handle.complete && mine === current.current) {
      try {
        handle = await pollJob(started);
      } catch (thrown) {
        if (mine === current.current) setState((s) => ({ ...s, error: toAppError(thrown) }));
        return;
      }
      if (mine !== current.current) return;
      tell(handle);
      source.growTo(handle.rowCount, extentOf(handle));
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
      clear();
    }
  };

  return { state, run, show, clear, stop, last };
}

/**
 * The rows of an answer: those that came with the run at once, the rest from where they came when someone scrolls there.
 */
export function useAnswerSource(page: Page, origin: Origin): RowSource {
  const made = useMemo(() => {
    let cut: Promise<ResultHandle> | null = null;
    let latest: ResultHandle | null = null;
    const whole = new WholeResult(() => null, origin);
    const engine = resultEngine(whole, page.columns);
    if (page.rows.length >= page.rowCount) return { source: pageSource(page, engine), close: () => whole.close() };
    const rest = async (offset: number, count: number): Promise<Page> => {
      // A whole answer is opened once, for its rows and to be arranged.
      if (page.truncated) cut ??= openOrigin(origin, page.rowCount);
      const started = await (cut ?? whole.beginJob());
      let handle = latest?.resultId === started.resultId ? latest : started;
      while (!handle.complete && handle.rowCount < offset + count) handle = await pollJob(handle);
      latest = handle;
      // Fewer rows than the answer has would pass for all of them, in a copy above all.
      const note = handle.rowCount < Math.min(offset + count, page.rowCount) ? roomNote(handle) : null;
      if (note) throw failure(note);
      return host().resultRows(handle.resultId, offset, count);
    };
    const source = new PagedSource(
      page.columns,
      page.rowCount,
      async (offset, count) => {
        const end = Math.min(offset + count, page.rowCount);
        if (end <= page.rows.length) return { ...page, rows: page.rows.slice(offset, end) };
        return rest(offset, count);
      },
      page.truncated ? "part" : "whole",
      engine,
    );
    const close = () => {
      whole.close();
      void cut?.then((handle) => closeResult(handle.resultId)).catch(() => {});
      cut = null;
    };
    return { source, close };
  }, [page, origin]);
  useEffect(() => made.close, [made]);
  return made.source;
}
