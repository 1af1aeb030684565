// Stops database requests that are no longer needed.

import type { AppError, AskedFor } from "./bindings";
import { host, toAppError } from "./host";

/** Tells what comes of something that was asked by SQL, until what it gives is called: that stops it at the database, too. */
export function untilGone<T>(
  [what, warehouse, sql]: [AskedFor, string, string],
  asked: Promise<T>,
  onAnswer: (answer: T) => void,
  onError: (error: AppError) => void,
): () => void {
  let gone = false;
  let open = true;
  asked
    .then(
      (answer) => !gone && onAnswer(answer),
      (thrown) => !gone && onError(toAppError(thrown)),
    )
    .finally(() => {
      open = false;
    });
  return () => {
    gone = true;
    if (open) void stopListening(what, warehouse, sql);
  };
}

/** Stops what was asked by this text. One that has its answer already is not stopped. */
export const stopListening = (what: AskedFor, warehouse: string, sql: string): Promise<void> =>
  host()
    .stopAsking(what, warehouse, sql)
    .catch(() => {});
