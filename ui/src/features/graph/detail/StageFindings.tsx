import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { DiffView } from "../../../kit/diffView";
import { Disclosure } from "../../../kit/disclosure";
import { compact, count, joinClauses, percent, rowsOf } from "../../../kit/format";
import { MiniTable } from "../../../kit/miniTable";
import { CodeText, SqlText } from "../../../kit/sqlText";
import { Badge, StatusIcon } from "../../../kit/status";
import type { ChunkAttempt, RunModel, StageNode } from "../model/model";
import { AnswerTests } from "./AnswerTests";
import { Candidates } from "./Candidates";
import { Choosing } from "./Choosing";
import { ExamplesList } from "./ExamplesList";
import { Executions } from "./Executions";
import { Fetched } from "./Fetched";
import { GrowingState } from "./GrowingState";
import { Linking } from "./Linking";
import { Probes } from "./Probes";
import { NameLinks, Section } from "./parts";
import { ReadingsAsked } from "./ReadingsAsked";
import { Reasons } from "./Reasons";
import { RuleFindings } from "./RuleFindings";
import { Selection } from "./Selection";

/** The output of a stage. Each block appears only if it has content. */
export function StageFindings({
  stage,
  run,
  onSelect,
}: {
  stage: StageNode;
  run: RunModel;
  onSelect: (id: string) => void;
}) {
  const views = run.views.filter((v) => v.stage === stage.id);
  return (
    <>
      {stage.schema && <Schema stage={stage} />}
      {stage.rewritten && (
        <Section title={t`Rewritten question`}>
          <dl className="flex flex-col gap-2.5">
            <Term name={t`Task`}>{stage.rewritten.task}</Term>
            {stage.rewritten.outputs.length > 0 && (
              <Term name={t`Output columns`}>
                <Bullets items={stage.rewritten.outputs} />
              </Term>
            )}
            {stage.rewritten.filters.length > 0 && (
              <Term name={t`Conditions`}>
                <Bullets items={stage.rewritten.filters} />
              </Term>
            )}
            {stage.rewritten.ordering && <Term name={t`Order`}>{stage.rewritten.ordering}</Term>}
          </dl>
        </Section>
      )}
      {stage.values.length > 0 && (
        <Section
          title={t`Matching stored values`}
          note={plural(stage.values.length, { one: "# match", other: "# matches" })}
        >
          <ul className="flex flex-col divide-y divide-line rounded-md border border-line text-sm">
            {stage.values.slice(0, 40).map((v, i) => (
              <li key={i} className="flex items-baseline gap-2 px-3 py-1.5">
                <span className="wrap-anywhere">
                  “{v.literal}” → <strong className="font-medium">{v.value}</strong>
                </span>
                <span className="ml-auto shrink-0 font-mono text-fg-3 text-xs">
                  {v.table}.{v.column}
                </span>
                <span className="nums w-9 shrink-0 text-right text-fg-3 text-xs">
                  {percent(Math.max(v.edit, v.semantic ?? 0))}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {views.length > 0 && (
        <Section title={t`Views`}>
          <NameLinks names={views.map((v) => v.name)} run={run} onSelect={onSelect} />
        </Section>
      )}
      {stage.chunkAttempts.length > 0 && <ChunkAttempts stage={stage} />}
      {stage.selection && (
        <Section
          title={t`Selected tables`}
          note={plural(stage.selection.tables.length, { one: "# table", other: "# tables" })}
        >
          <Selection selection={stage.selection} />
        </Section>
      )}
      {stage.passedViews.length > 0 && (
        <Section title={t`Kept views`}>
          <NameLinks names={stage.passedViews} run={run} onSelect={onSelect} />
        </Section>
      )}
      {stage.plan && (
        <Section title={t`Plan`}>
          <p className="wrap-anywhere whitespace-pre-wrap">{stage.plan}</p>
        </Section>
      )}
      <Reasons reasons={stage.reasons} />
      <Linking stage={stage} run={run} />
      <Probes stage={stage} run={run} />
      <ExamplesList stage={stage} run={run} />
      <GrowingState stage={stage} run={run} onSelect={onSelect} />
      <Fetched stage={stage} run={run} />
      <Executions stage={stage} />
      <AnswerTests stage={stage} run={run} />
      <ReadingsAsked stage={stage} run={run} />
      {stage.choice && !stage.state && (
        <Section
          title={t`Chosen`}
          note={
            stage.choice.of > 1 ? t`${stage.choice.votes} of ${stage.choice.of} successful attempts agree` : undefined
          }
        >
          {stage.choice.reason && stage.choice.reason !== stage.summary && (
            <p className="mb-2 text-fg-2">{stage.choice.reason}</p>
          )}
          <SqlText sql={stage.choice.sql} dialect={run.dialect} />
        </Section>
      )}
      {stage.revision && (
        <Section
          title={
            stage.revision.before === stage.revision.after
              ? t`Unchanged`
              : stage.revision.kept
                ? t`Corrected`
                : t`Correction rejected`
          }
        >
          {stage.revision.reason && <p className="mb-2 text-fg-2">{stage.revision.reason}</p>}
          {stage.revision.before !== stage.revision.after && (
            <DiffView
              before={stage.revision.before}
              after={stage.revision.after}
              labels={[t`Before`, t`After`]}
              dialect={run.dialect}
            />
          )}
        </Section>
      )}
      {stage.kind === "choice" && <Choosing stage={stage} run={run} />}
      <RuleFindings stage={stage} run={run} />
      {stage.sqlAttempts.length > 0 && !stage.state && <Candidates stage={stage} run={run} />}
      {stage.orders.length > 0 && <Orders stage={stage} />}
      {stage.kind === "result" && stage.sql && (
        <Section title={stage.code ? t`View queries` : "SQL"}>
          <SqlText sql={stage.sql} dialect={run.dialect} />
        </Section>
      )}
      {stage.code && (
        <Section title={t`Python over the views`}>
          <CodeText code={stage.code} />
        </Section>
      )}
      {stage.page && (
        <Section title={t`First rows`} note={rowsOf(stage.page)}>
          <MiniTable page={stage.page} />
        </Section>
      )}
    </>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-fg-3 text-xs">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

function Bullets({ items }: { items: string[] }) {
  return (
    <ul className="ml-4 list-disc marker:text-fg-3">
      {items.map((item, i) => (
        <li key={i}>{item}</li>
      ))}
    </ul>
  );
}

function Schema({ stage }: { stage: StageNode }) {
  const s = stage.schema!;
  const saved = s.tokensRaw > 0 ? 1 - s.tokensCompressed / s.tokensRaw : 0;
  return (
    <Section title={t`Schema`}>
      <p>
        {joinClauses([
          t`${plural(s.tables, { one: "# table", other: "# tables" })} with ${plural(s.columns, { one: "# column", other: "# columns" })}`,
          ...(s.groups > 0
            ? [
                plural(s.groups, {
                  one: "# group of similar tables merged",
                  other: "# groups of similar tables merged",
                }),
              ]
            : []),
        ])}
        {". "}
        {saved > 0.02
          ? t`${count(s.tokensCompressed)} tokens, ${percent(saved)} fewer than uncompressed.`
          : t`${count(s.tokensCompressed)} tokens.`}
      </p>
      <ul className="mt-2 flex flex-col divide-y divide-line rounded-md border border-line text-sm">
        {s.chunks.map((c) => (
          <li key={c.index} className="px-3 py-1.5">
            <Disclosure
              title={s.chunks.length === 1 ? t`One part` : t`Part ${c.index}`}
              note={t`${plural(c.tables.length, { one: "# table", other: "# tables" })} · ${compact(c.tokens)} tokens`}
            >
              <div className="wrap-anywhere pb-1 pl-4 font-mono text-fg-2 text-xs leading-5">
                {c.tables.join(", ")}
              </div>
            </Disclosure>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ChunkAttempts({ stage }: { stage: StageNode }) {
  return (
    <Section title={t`Attempts`} note={String(stage.chunkAttempts.length)}>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {stage.chunkAttempts.map((a) => (
          <li key={a.attempt} className="px-3 py-2 text-sm">
            <div className="flex items-center gap-2">
              <StatusIcon status={attemptStatus(a)} size={13} />
              <span className="font-medium">
                <Trans>Attempt {a.attempt + 1}</Trans>
              </span>
              {stage.keptAttempt === a.attempt && (
                <Badge tone="good">
                  <Trans>kept</Trans>
                </Badge>
              )}
              <span className="nums ml-auto text-fg-3 text-xs">
                <Trans>
                  <Plural value={a.views.length} one="# view" other="# views" />,{" "}
                  {a.views.filter((v) => v.status !== "error").length} ran
                </Trans>
              </span>
            </div>
            {a.feedback.length > 0 && (
              <ul className="mt-1.5 flex flex-col gap-1 pl-5.5 text-fg-2">
                {a.feedback.map((line, i) => (
                  <li key={i} className="wrap-anywhere">
                    {line}
                  </li>
                ))}
              </ul>
            )}
            {a.selection.tables.length > 0 && (
              <Disclosure
                title={t`Selection`}
                note={plural(a.selection.tables.length, { one: "# table", other: "# tables" })}
                className="mt-1.5 pl-4.5"
              >
                <Selection selection={a.selection} />
              </Disclosure>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function attemptStatus(a: ChunkAttempt) {
  if (a.views.some((v) => v.status === "error")) return "failed" as const;
  return a.consistent ? ("done" as const) : ("warning" as const);
}

/** The table order of a prompt, if it was shuffled to vary the candidates. */
function Orders({ stage }: { stage: StageNode }) {
  return (
    <div className="flex flex-col gap-1">
      {stage.orders.map((order, i) => (
        <Disclosure key={i} title={t`Shuffled table order`} note={t`seed ${order.seed}`}>
          <div className="wrap-anywhere pl-4 font-mono text-fg-2 text-xs leading-5">{order.tables.join(", ")}</div>
        </Disclosure>
      ))}
    </div>
  );
}
