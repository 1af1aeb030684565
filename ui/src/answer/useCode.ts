// Runs code for the user: its table, its output or its error.

import { useEffect, useRef, useState } from "react";
import type { Origin } from "../features/grid/origin";
import { useResult } from "../features/grid/state";
import type { AppError, CodeOutcome } from "../host/bindings";
import { host, toAppError } from "../host/host";

/** `call` runs code over the views of `owner`, which is a run or a saved question. */
export function useCode(owner: string, call: (code: string) => Promise<CodeOutcome>) {
  const rows = useResult();
  const [running, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<CodeOutcome | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const latest = useRef(0);
  const atWork = useRef(false);
  const origin: Origin = { table: { owner, rerun: true } };

  const stop = () => {
    if (atWork.current)
      void host()
        .stopCode(owner)
        .catch(() => {});
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: on leaving only
  useEffect(
    () => () => {
      latest.current++;
      stop();
    },
    [],
  );

  const run = async (code: string) => {
    const mine = ++latest.current;
    rows.clear();
    atWork.current = true;
    setRunning(true);
    setOutcome(null);
    setFailure(null);
    try {
      const made = await call(code);
      if (mine !== latest.current) {
        if (made.result)
          void host()
            .closeResult(made.result.resultId)
            .catch(() => {});
        return;
      }
      setOutcome(made);
      if (made.result) rows.show(made.result);
    } catch (thrown) {
      const error = toAppError(thrown);
      // The user stopped it: no message.
      if (mine === latest.current && error.code !== "cancelled") setFailure(error);
    }
    if (mine !== latest.current) return;
    atWork.current = false;
    setRunning(false);
  };

  return {
    running,
    run,
    stop,
    origin,
    rows: running ? { ...rows.state, status: "opening" as const } : rows.state,
    outcome,
    error: outcome?.error ?? failure,
    /** Why it could not start; not an error of the code. */
    failure,
  };
}
