import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowLeft, Check, X } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { methodLabel } from "../../domain/methods";
import type { AppError, EvaluationComparison, EvaluationQuestion, EvaluationSummary } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { IconButton } from "../../kit/button";
import { cx } from "../../kit/cx";
import { ErrorNote } from "../../kit/error";
import { compact, count, decimals } from "../../kit/format";
import { Segmented } from "../../kit/segmented";
import { Select } from "../../kit/select";
import { Badge, Empty, Skeleton } from "../../kit/status";
import { loadEvaluations, useEvals } from "./state";
import { comparisonVerdict, formatSeconds, formatShare } from "./words";

type Filter = "all" | "wrong" | "won" | "lost";

/** One evaluation: its figures, a comparison with another, and every question. */
export function EvaluationPage({
  id,
  onBack,
  onOpen,
}: {
  id: string;
  onBack: () => void;
  onOpen: (question: string) => void;
}) {
  const list = useEvals((s) => s.list);
  const summary = list.find((e) => e.id === id);
  const [questions, setQuestions] = useState<EvaluationQuestion[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [base, setBase] = useState("");
  const [compared, setCompared] = useState<EvaluationComparison | null>(null);
  const [filter, setFilter] = useState<Filter>("all");
  const done = summary?.questions;
  useEffect(() => {
    if (list.length === 0) void loadEvaluations();
  }, [list.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when another question is done
  useEffect(() => {
    host()
      .evaluation(id)
      .then(setQuestions, (thrown) => setError(toAppError(thrown)));
  }, [id, done]);
  useEffect(() => {
    setCompared(null);
    if (base === "") return;
    let current = true;
    host()
      .compareEvaluations(base, id)
      .then(
        (result) => current && setCompared(result),
        (thrown) => current && setError(toAppError(thrown)),
      );
    return () => {
      current = false;
    };
  }, [base, id]);
  const others = list.filter((e) => e.id !== id && e.pack === summary?.pack);
  const shown = useMemo(() => {
    const won = new Set(compared?.won);
    const lost = new Set(compared?.lost);
    const keep: Record<Filter, (q: EvaluationQuestion) => boolean> = {
      all: () => true,
      wrong: (q) => !q.right,
      won: (q) => won.has(q.id),
      lost: (q) => lost.has(q.id),
    };
    return (questions ?? []).filter(keep[filter]);
  }, [questions, compared, filter]);
  if (error) {
    return (
      <div className="mx-auto w-full max-w-160 p-8">
        <h1 className="sr-only">
          <Trans>Evaluation</Trans>
        </h1>
        <ErrorNote error={error} />
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="mx-auto w-full max-w-220 px-8 py-6">
        <div className="flex items-center gap-2">
          <IconButton label={t`All evaluations`} onClick={onBack}>
            <ArrowLeft size={16} />
          </IconButton>
          <h1 className="truncate font-semibold text-xl">{summary?.pack ?? id}</h1>
          {summary?.strategy && <Badge>{methodLabel(summary.strategy)}</Badge>}
          {summary?.model && <span className="truncate text-fg-3 text-sm">{summary.model}</span>}
        </div>
        {summary && <Figures summary={summary} />}
        {others.length > 0 && (
          <section className="mt-6">
            <div className="flex items-center gap-3">
              <h2 className="font-medium">
                <Trans>Compare with</Trans>
              </h2>
              <Select
                label={t`Compare with`}
                className="w-72"
                value={base}
                choices={[
                  { value: "", label: t`None` },
                  ...others.map((e) => ({
                    value: e.id,
                    label: [e.strategy && methodLabel(e.strategy), e.model].filter(Boolean).join(", ") || e.id,
                    note: t`${formatShare(e.right, e.questions)} of ${e.questions}`,
                  })),
                ]}
                onChange={(next) => {
                  setBase(next);
                  setFilter("all");
                }}
              />
            </div>
            {compared && (
              <p className="nums mt-2 text-sm">
                {comparisonVerdict(compared).text}{" "}
                <span className="text-fg-3">{comparisonVerdict(compared).figures}</span>
              </p>
            )}
          </section>
        )}
        <div className="mt-7 flex items-center justify-between gap-4">
          <h2 className="font-medium">
            <Trans>Questions</Trans>
          </h2>
          <Segmented
            label={t`Filter questions`}
            value={filter}
            choices={[
              { value: "all", label: t`All` },
              { value: "wrong", label: t({ message: "Incorrect", context: "questions that were answered so" }) },
              ...(compared
                ? ([
                    { value: "won", label: t`Won ${compared.wins}` },
                    { value: "lost", label: t`Lost ${compared.losses}` },
                  ] as const)
                : []),
            ]}
            onChange={setFilter}
          />
        </div>
        {questions === null ? (
          <Skeleton className="mt-3 h-40 rounded-lg" />
        ) : shown.length === 0 ? (
          <Empty icon={<Check size={20} />} title={t`No questions`} />
        ) : (
          <ul className="mt-2">
            {shown.map((q) => (
              <li key={q.id}>
                <button
                  type="button"
                  onClick={() => onOpen(q.id)}
                  className="-mx-3 flex w-[calc(100%+1.5rem)] items-center gap-3 rounded-lg px-3 py-2 text-left hover:bg-hover"
                >
                  <span
                    role="img"
                    aria-label={q.right ? t`Correct` : t`Incorrect`}
                    className={q.right ? "text-good" : "text-bad"}
                  >
                    {q.right ? <Check size={15} /> : <X size={15} />}
                  </span>
                  <span className="min-w-0 flex-1 truncate">{q.question || q.id}</span>
                  <span className="w-36 shrink-0 truncate text-right text-fg-3 text-sm">{q.database}</span>
                  <span className="w-16 shrink-0 text-right text-fg-3 text-sm">{q.hardness}</span>
                  <span className="nums w-14 shrink-0 text-right text-fg-3 text-sm">{formatSeconds(q.seconds)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function Figures({ summary }: { summary: EvaluationSummary }) {
  const figures: [string, string, string][] = [
    [
      formatShare(summary.right, summary.questions),
      t`${count(summary.right)} of ${count(summary.questions)} correct`,
      t`judged by ${summary.rule}`,
    ],
    [formatSeconds(summary.medianSeconds), t`per question`, t`median`],
    [compact(Math.round(summary.tokens)), t`tokens per question`, t`uncached input and output`],
    [decimals(summary.modelCalls, 1), t`model calls per question`, t`mean`],
  ];
  return (
    <>
      <dl className="mt-5 grid grid-cols-4 gap-4">
        {figures.map(([value, what, how]) => (
          <div key={what} className="rounded-lg border border-line bg-raised px-4 py-3">
            <dd className="nums font-semibold text-xl">{value}</dd>
            <dt className="text-fg-2 text-sm">{what}</dt>
            <dt className="text-fg-3 text-xs">{how}</dt>
          </div>
        ))}
      </dl>
      {summary.byHardness.length > 0 && (
        <div className="mt-4 flex flex-col gap-1.5">
          {summary.byHardness.map((group) => (
            <div key={group.name} className="flex items-center gap-3 text-sm">
              <span className="w-20 text-fg-2">{group.name}</span>
              <span className="h-2 flex-1 overflow-hidden rounded-full bg-active">
                <span
                  className={cx("block h-full rounded-full bg-accent")}
                  style={{ width: `${(100 * group.right) / Math.max(1, group.questions)}%` }}
                />
              </span>
              <span className="nums w-28 text-right text-fg-3">
                <Trans>
                  {formatShare(group.right, group.questions)} of {group.questions}
                </Trans>
              </span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
