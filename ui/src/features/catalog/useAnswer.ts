import { useEffect, useState } from "react";
import type { AppError } from "../../host/bindings";
import { toAppError } from "../../host/host";

interface AnswerState<T> {
  answer: T | null;
  error: AppError | null;
  again: () => void;
}

/** Returns the host's reply to a request of the page; repeats the request when one of `changes` changes. */
export function useAnswer<T>(ask: () => Promise<T>, changes: unknown[]): AnswerState<T> {
  const [state, setState] = useState<{ answer: T | null; error: AppError | null }>({ answer: null, error: null });
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what the question depends on
  useEffect(() => {
    let current = true;
    setState({ answer: null, error: null });
    ask().then(
      (answer) => current && setState({ answer, error: null }),
      (thrown) => current && setState({ answer: null, error: toAppError(thrown) }),
    );
    return () => {
      current = false;
    };
  }, [...changes, times]);
  return { ...state, again: () => setTimes(times + 1) };
}
