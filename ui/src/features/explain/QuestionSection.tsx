import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Plus, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { QuestionMatch, QuestionPart, RewrittenQuestion } from "../../host/bindings";
import { Hint } from "../../kit/tooltip";

/** The question matched with the query: which words it answers, what it leaves out and what it adds. */
export function QuestionMatchView({
  match,
  rewritten,
}: {
  match: QuestionMatch;
  rewritten: RewrittenQuestion | null;
}) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-x-10 gap-y-4">
        <p className="wrap-anywhere min-w-70 flex-1 text-lg leading-7">
          {match.parts.map((part, i) => (
            <Part key={i} part={part} />
          ))}
        </p>
        {rewritten && <Rewritten rewritten={rewritten} />}
      </div>
      <Sentences
        title={t`Not used by the query`}
        sentences={match.unanswered}
        icon={<TriangleAlert size={14} className="mt-0.5 shrink-0 text-warn" aria-hidden />}
      />
      <Sentences
        title={t`Also in the query`}
        sentences={match.unsaid}
        icon={<Plus size={14} className="mt-0.5 shrink-0 text-fg-3" aria-hidden />}
      />
    </div>
  );
}

function Part({ part: { text, answeredBy } }: { part: QuestionPart }) {
  if (answeredBy === null) return text;
  return (
    <Hint label={t`In the query: ${answeredBy}`}>
      <button
        type="button"
        className="cursor-help rounded-sm text-left underline decoration-accent-line decoration-2 underline-offset-4 hover:decoration-accent"
      >
        {text}
        <span className="sr-only">
          {" "}
          <Trans>(in the query: {answeredBy})</Trans>
        </span>
      </button>
    </Hint>
  );
}

/** The question as rewritten by the method. */
function Rewritten({ rewritten: { task, outputs, filters, ordering } }: { rewritten: RewrittenQuestion }) {
  const lines: [string, string][] = [
    [t`Shows`, outputs.join(", ")],
    [t`Filters`, filters.join(" ")],
    [t`Order`, ordering],
  ];
  return (
    <section aria-label={t`As rewritten by the method`} className="min-w-60 flex-1 text-sm">
      <h3 className="mb-1 text-fg-3">
        <Trans>As rewritten by the method</Trans>
      </h3>
      <p className="wrap-anywhere">{task}</p>
      <dl className="mt-1 grid grid-cols-[max-content_1fr] gap-x-2 text-fg-2">
        {lines
          .filter(([, text]) => text !== "")
          .map(([name, text]) => (
            <div key={name} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-fg-3">{name}</dt>
              <dd className="wrap-anywhere min-w-0">{text}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function Sentences({ title, sentences, icon }: { title: string; sentences: string[]; icon: ReactNode }) {
  if (sentences.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium text-fg-2 text-sm">{title}</h3>
      <ul className="flex flex-col gap-1">
        {sentences.map((sentence) => (
          <li key={sentence} className="flex gap-2 text-sm">
            {icon}
            <span className="wrap-anywhere">{/[.!?]$/.test(sentence) ? sentence : `${sentence}.`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
