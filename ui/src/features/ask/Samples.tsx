import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import type { SampleQuestion } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Skeleton } from "../../kit/status";

/** Questions shown at a time. */
const SHOWN = 6;

/** Questions to begin with, a few at a time; "More" shows the next ones. */
export function Samples({
  questions,
  onPick,
}: {
  questions: SampleQuestion[] | null;
  onPick: (question: string) => void;
}) {
  const [from, setFrom] = useState(0);
  if (questions?.length === 0) return null;
  // A list that was read anew may be shorter.
  const start = from < (questions?.length ?? 0) ? from : 0;
  const next = start + SHOWN;
  return (
    <section aria-label={t`Sample questions`}>
      <div className="mb-2 flex h-7 items-center justify-between">
        <h2 className="text-fg-3 text-sm">
          <Trans>Try one of these</Trans>
        </h2>
        {questions && questions.length > SHOWN && (
          <Button
            size="sm"
            variant="quiet"
            icon={<RefreshCw size={13} />}
            onClick={() => setFrom(next < questions.length ? next : 0)}
          >
            <Trans>More</Trans>
          </Button>
        )}
      </div>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {questions === null
          ? Array.from({ length: SHOWN }, (_, i) => <Skeleton key={i} className="h-17 rounded-lg" />)
          : questions.slice(start, next).map((q) => (
              <button
                key={q.question}
                type="button"
                onClick={() => onPick(q.question)}
                className="flex min-h-12 items-center rounded-lg border border-line bg-raised px-3.5 py-2.5 text-left transition-colors hover:border-accent-line hover:bg-accent-soft"
              >
                <span className="line-clamp-3">{q.question}</span>
              </button>
            ))}
      </div>
    </section>
  );
}
