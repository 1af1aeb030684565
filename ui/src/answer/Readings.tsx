import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { resultInWords } from "../features/graph/model/answer";
import { meaningInWords } from "../features/graph/model/readings";
import { chooseReading } from "../features/runs/state";
import type { Dialect, Reading } from "../host/bindings";
import { Button } from "../kit/button";
import { Disclosure } from "../kit/disclosure";
import { useFocusAfterRemoval } from "../kit/focusNeighbour";
import { SqlText } from "../kit/sqlText";
import { attemptsInWords, countAttempts } from "./answer";

/**
 * Several readings of the question: what each means, and smaller the result it leads to, so that a meaning is chosen and
 * not a number. The run waits for one to be chosen; its number is a key (`useKeys.ts`).
 */
export function Readings({
  runId,
  readings,
  dialect,
}: {
  runId: string;
  readings: Reading[];
  dialect: Dialect | null;
}) {
  return (
    <section ref={useFocusAfterRemoval<HTMLElement>()} aria-labelledby="readings" className="mb-7">
      <div role="status">
        <h2 id="readings" className="font-semibold text-lg">
          <Trans>Which do you mean?</Trans>
        </h2>
        <p className="mt-0.5 text-fg-2">
          <Trans>The question is ambiguous. Each interpretation gives a different result.</Trans>
        </p>
      </div>
      <ul className="mt-4 flex flex-col gap-2">
        {readings.map((reading, index) => (
          <li key={reading.candidate}>
            <button
              type="button"
              onClick={() => void chooseReading(runId, reading.candidate)}
              className="group flex w-full items-start gap-3.5 rounded-lg border border-line-strong bg-raised px-4 py-3 text-left shadow-card transition-colors hover:bg-hover"
            >
              <kbd className="mt-0.5 flex size-5 shrink-0 items-center justify-center rounded border border-line-strong bg-sunk text-fg-3 text-xs">
                {index + 1}
              </kbd>
              <span className="min-w-0 flex-1">
                <span className="wrap-anywhere line-clamp-3 font-medium text-base">{meaningInWords(reading)}</span>
                {reading.meaning && (
                  <span className="nums wrap-anywhere mt-0.5 line-clamp-2 text-fg-2 text-sm">
                    {resultInWords(reading)}
                  </span>
                )}
              </span>
              <span className="nums mt-0.5 shrink-0 text-fg-3 text-sm">
                {attemptsInWords(reading.votes, countAttempts(readings))}
              </span>
            </button>
            <Disclosure title={t`SQL of choice ${index + 1}`} className="mt-0.5 px-4">
              <SqlText sql={reading.sql} dialect={dialect} />
            </Disclosure>
          </li>
        ))}
      </ul>
      <Button variant="quiet" size="sm" className="mt-2" onClick={() => void chooseReading(runId, null)}>
        <Trans>Let Vitrine choose</Trans>
      </Button>
    </section>
  );
}
