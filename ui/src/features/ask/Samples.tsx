import type { SampleQuestion } from "../../host/bindings";
import { Skeleton } from "../../kit/status";

/** Questions to begin with. */
export function Samples({
  questions,
  onPick,
}: {
  questions: SampleQuestion[] | null;
  onPick: (question: string) => void;
}) {
  if (questions?.length === 0) return null;
  return (
    <section aria-label="Sample questions">
      <h2 className="mb-2 text-fg-3 text-sm">Try one of these</h2>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {questions === null
          ? Array.from({ length: 6 }, (_, i) => <Skeleton key={i} className="h-17 rounded-lg" />)
          : questions.slice(0, 10).map((q) => (
              <button
                key={q.question}
                type="button"
                onClick={() => onPick(q.question)}
                className="group flex min-h-17 flex-col justify-between gap-1.5 rounded-lg border border-line bg-raised px-3.5 py-2.5 text-left transition-colors hover:border-accent-line hover:bg-accent-soft"
              >
                <span className="line-clamp-3">{q.question}</span>
                {q.level && <span className="text-fg-3 text-xs first-letter:uppercase">{q.level}</span>}
              </button>
            ))}
      </div>
    </section>
  );
}
