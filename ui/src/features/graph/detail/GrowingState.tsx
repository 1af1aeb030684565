import { t } from "@lingui/core/macro";
import { rowsOf } from "../../../kit/format";
import { MiniTable } from "../../../kit/miniTable";
import { SqlText } from "../../../kit/sqlText";
import { nodeTitle } from "../model/facts";
import type { RunModel, StageNode } from "../model/model";
import { ACTION_NAMES } from "../model/names";
import { surroundingPoints } from "../model/trajectory";
import { Attempts } from "./Candidates";
import { ErrorBox, Section } from "./parts";

/** One state of a query built step by step: its aim, query, result and neighbours on the path. */
export function GrowingState({
  stage,
  run,
  onSelect,
}: {
  stage: StageNode;
  run: RunModel;
  onSelect: (id: string) => void;
}) {
  const { state } = stage;
  if (!state) return null;
  const path = surroundingPoints(
    run.stages.filter((s) => s.kind === "step"),
    stage,
  );
  return (
    <>
      <p className="-mt-2 text-fg-2">{ACTION_NAMES[state.action].did}</p>
      {state.error && <ErrorBox>{state.error}</ErrorBox>}
      <Section title="SQL">
        <SqlText sql={state.sql} dialect={run.dialect} />
      </Section>
      {state.page && (
        <Section title={t`First rows`} note={rowsOf(state.page)}>
          <MiniTable page={state.page} />
        </Section>
      )}
      {stage.sqlAttempts.length > 1 && (
        <Section title={t`Corrections`} note={String(stage.sqlAttempts.length - 1)}>
          <Attempts attempts={stage.sqlAttempts} run={run} />
        </Section>
      )}
      {path.before.length + path.after.length > 0 && (
        <Section title={t`Path`}>
          <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1 text-sm">
            <Steps name={t`Previous`} steps={path.before} onSelect={onSelect} />
            <Steps name={t`Next`} steps={path.after} onSelect={onSelect} />
          </dl>
        </Section>
      )}
    </>
  );
}

function Steps({ name, steps, onSelect }: { name: string; steps: StageNode[]; onSelect: (id: string) => void }) {
  if (steps.length === 0) return null;
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className="flex flex-wrap gap-1">
        {steps.map((step) => (
          <button
            key={step.id}
            type="button"
            onClick={() => onSelect(step.id)}
            className="rounded-md bg-hover px-2 py-0.5 text-xs hover:bg-active"
          >
            {nodeTitle(step)}
          </button>
        ))}
      </dd>
    </>
  );
}
