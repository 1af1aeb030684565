import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useExperts } from "../domain/experts";
import { everydayLabel } from "../domain/methods";
import { Checks } from "../features/explain/Checks";
import { type ExplainedQuery, useKnownExplanation } from "../features/explain/state";
import { CostByAgent } from "../features/graph/detail/CostByAgent";
import { answerFacts, listNames } from "../features/graph/model/answer";
import type { RunModel } from "../features/graph/model/model";
import { count, duration, joinClauses } from "../kit/format";
import { TextButton } from "../kit/textButton";
import { navigate } from "../navigation/route";
import { conditionsOf, doubtsOf, spentInWords } from "./answer";
import { Fact } from "./Fact";
import { OtherResults } from "./OtherResults";
import { QueryNotes } from "./QueryNotes";

/** Explains an answer: tables, conditions, interpretation, steps, changes and doubts; each links to its place. */
export function HowComputed({
  run,
  tables,
  query,
  onSql,
  onStep,
  onOpen,
}: {
  run: RunModel;
  /** Names of all tables of the warehouse. */
  tables: string[];
  query: ExplainedQuery;
  onSql: () => void;
  /** Shows the explanation, at a step if one is given. */
  onStep: (step: string | null) => void;
  /** Shows a step of the run. */
  onOpen: (node: string) => void;
}) {
  const facts = answerFacts(run, tables);
  const explanation = useKnownExplanation(query);
  const used = explanation?.selection.map(({ table, rows }) => ({ name: table, rows })) ?? [];
  const named = run.headline?.tables.length ? run.headline.tables : facts.tables;
  const sources = used.length > 0 ? used : named.map((name) => ({ name, rows: null }));
  const conditions = conditionsOf(run, explanation);
  const doubts = doubtsOf(explanation);
  const [first] = explanation?.understood ?? [];
  const corrected = run.revision?.kept === true && run.revision.before !== run.revision.after;
  const reviser = corrected ? run.stages.find((stage) => stage.revision !== null)?.id : undefined;
  const [itemised, setItemised] = useState(false);
  const details = useExperts((s) => s.details);
  const told = [
    run.settings ? everydayLabel(run.settings.strategy) : null,
    duration(facts.ms),
    ...spentInWords(run, details),
  ];
  return (
    <section aria-labelledby="how" className="@container">
      <h3 id="how" className="font-semibold text-base">
        <Trans>How this was computed</Trans>
      </h3>
      <p className="mt-0.5 text-fg-2">{inShort(sources.length, facts.views.length, corrected, run.code !== null)}</p>
      <div className="mt-3 flex flex-col gap-2.5 text-sm">
        {sources.length > 0 && (
          <Fact name={t`Tables`}>
            <span title={sources.map(({ name }) => name).join(", ")}>
              {sources.length > 6 ? (
                listNames(
                  sources.map(({ name }) => name),
                  6,
                )
              ) : (
                <Sources sources={sources} />
              )}
            </span>
            {run.code === null && (
              <>
                {" "}
                <TextButton onClick={() => onStep(null)}>
                  <Trans>Show explanation</Trans>
                </TextButton>
              </>
            )}
          </Fact>
        )}
        {first && run.code === null && (
          <Fact name={t`What the query does`}>
            {first}.
            {sources.length === 0 && (
              <TextButton onClick={() => onStep(null)}>
                <Trans>Show explanation</Trans>
              </TextButton>
            )}
          </Fact>
        )}
        {conditions.length > 0 && (
          <Fact name={t`Conditions`}>
            {conditions.length === 1 ? (
              conditions[0]
            ) : (
              <ul className="flex flex-col gap-0.5">
                {conditions.map((condition) => (
                  <li key={condition}>{condition}</li>
                ))}
              </ul>
            )}
          </Fact>
        )}
        {run.code && (
          <Fact name={t`Computed by`}>
            <TextButton onClick={onSql}>
              <Trans>Python code over the fetched views</Trans>
            </TextButton>
          </Fact>
        )}
        {run.guidedBy.length > 0 && (
          <Fact name={t`Guided by`}>
            {run.guidedBy.length === 1 ? t`Your verified question` : t`Your verified questions`}{" "}
            {run.guidedBy.map(({ savedId, title }, i) => (
              <span key={savedId}>
                {i > 0 && ", "}
                <TextButton onClick={() => navigate({ page: "saved", id: savedId })}>“{title}”</TextButton>
              </span>
            ))}
          </Fact>
        )}
        <div data-part="results" tabIndex={-1} className="outline-none empty:hidden">
          <OtherResults run={run} onSql={onSql} />
        </div>
        {(facts.views.length > 0 || corrected) && (
          <Fact name={t`Steps`}>
            {facts.views.map((view, i) => (
              <span key={view}>
                {i > 0 && ", "}
                <TextButton onClick={() => onOpen(`view:${view}`)}>{view}</TextButton>
              </span>
            ))}
            {corrected && (
              <>
                {facts.views.length > 0 && "; "}
                {reviser ? (
                  <TextButton onClick={() => onOpen(reviser)}>
                    <Trans>corrected once</Trans>
                  </TextButton>
                ) : (
                  t`corrected once`
                )}
              </>
            )}
          </Fact>
        )}
        <div data-part="notes" tabIndex={-1} className="outline-none empty:hidden">
          <QueryNotes run={run} />
        </div>
        {doubts.length > 0 && (
          <Fact name={t`Worth checking`} region tone="warn">
            <Checks
              checks={doubts}
              after={({ step }) =>
                step !== null && (
                  <TextButton onClick={() => onStep(step)}>
                    <Trans>Show step</Trans>
                  </TextButton>
                )
              }
            />
          </Fact>
        )}
        <Notes run={run} />
        <Fact name={t`Effort`} faint>
          <span className="nums">{told.filter(Boolean).join(", ")}.</span>{" "}
          {run.status !== "running" && run.usage.llm_calls > 0 && (
            <TextButton pressed={itemised} onClick={() => setItemised(!itemised)}>
              {itemised ? t`Hide cost by step` : t`Cost by step`}
            </TextButton>
          )}
          {itemised && (
            <div className="mt-2 max-w-190">
              <CostByAgent run={run} />
            </div>
          )}
        </Fact>
      </div>
    </section>
  );
}

/** "Based on 4 tables; checked in 3 steps; corrected once." */
export function inShort(tables: number, steps: number, corrected: boolean, code: boolean): string {
  const parts = [
    tables > 0 ? t`based on ${plural(tables, { one: "# table", other: "# tables" })}` : "",
    steps > 0 ? t`checked in ${plural(steps, { one: "# step", other: "# steps" })}` : "",
    code ? t`computed by Python` : "",
    corrected ? t`corrected once` : "",
  ].filter(Boolean);
  const text = joinClauses(parts);
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function Sources({ sources }: { sources: { name: string; rows: number | null }[] }) {
  return sources.map(({ name, rows }, i) => (
    <span key={name}>
      {i > 0 && ", "}
      {name}
      {rows !== null && <span className="nums text-fg-2"> ({count(rows)})</span>}
    </span>
  ));
}

/** Warnings of the run. */
export function Notes({ run }: { run: RunModel }) {
  if (run.warnings.length === 0) return null;
  return (
    <Fact name={run.warnings.length === 1 ? t`Note` : t`Notes`} tone="warn">
      <ul className="flex flex-col gap-1">
        {run.warnings.map((w, i) => (
          <li key={i} className="flex gap-2">
            <TriangleAlert size={13} className="mt-0.5 shrink-0 text-warn" aria-hidden />
            <span className="wrap-anywhere min-w-0">{w.message}</span>
          </li>
        ))}
      </ul>
    </Fact>
  );
}
