import { Tabs } from "@base-ui/react/tabs";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { cx } from "../../../kit/cx";
import { Facts } from "../../../kit/detail";
import { count, duration, rowsOf } from "../../../kit/format";
import { MiniTable } from "../../../kit/miniTable";
import { SqlText } from "../../../kit/sqlText";
import { StatusIcon, statusLabel } from "../../../kit/status";
import { nodeTitle } from "../model/facts";
import {
  type GraphNode,
  nodeRows,
  type RunModel,
  rowsAreCut,
  type StageNode,
  stageMs,
  stageUsage,
  type ViewNode,
} from "../model/model";
import { ACTION_NAMES, NODE_NAMES } from "../model/names";
import { roundsOf } from "../model/rounds";
import { EditNode, Kept, type Steering } from "./EditNode";
import { CallSection, NameLinks, QuerySection, Section } from "./parts";
import { StageFindings } from "./StageFindings";

/** The details of a node: its input, its output and the result. */
export function NodeDetail({
  node,
  run,
  steering,
  onSelect,
  onEarlier,
}: {
  node: GraphNode;
  run: RunModel;
  /** The editable settings of the node; absent if the run cannot be continued. */
  steering?: Steering;
  onSelect: (id: string) => void;
  /** Opens the run that a result was taken from. */
  onEarlier?: (runId: string) => void;
}) {
  return (
    <div key={node.id} className="flex flex-col gap-5">
      <Header node={node} run={run} />
      {node.type === "stage" && <Kept stage={node} onEarlier={onEarlier} />}
      {steering && <EditNode node={node} run={run} steering={steering} />}
      {node.type === "view" ? (
        <ViewDetail view={node} run={run} onSelect={onSelect} />
      ) : (
        <StageDetail stage={node} run={run} onSelect={onSelect} />
      )}
    </div>
  );
}

function Header({ node, run }: { node: GraphNode; run: RunModel }) {
  const facts = node.type === "view" ? viewFacts(node) : stageFacts(node, run);
  const title = node.type === "stage" ? stageHeading(node, run) : nodeTitle(node);
  const line = node.type === "stage" ? (node.state?.aim ?? node.summary) : node.last.rationale;
  return (
    <div>
      <div className="flex items-center gap-2">
        <StatusIcon status={node.status} size={16} />
        <h2
          className={cx("wrap-anywhere min-w-0 font-semibold text-lg", node.type === "view" && "font-mono text-base")}
        >
          {title}
        </h2>
      </div>
      {line && <p className="wrap-anywhere mt-1 text-fg-2">{line}</p>}
      <Facts facts={facts} />
    </div>
  );
}

/** A stage's title; a step by what it did, a later round by its number. */
function stageHeading(stage: StageNode, run: RunModel): string {
  if (stage.state) return t`Step ${stage.state.step}: ${ACTION_NAMES[stage.state.action].name}`;
  const title = nodeTitle(stage);
  const round = stage.kind === "result" ? 0 : (roundsOf(run).get(stage.id) ?? 0);
  // Some names say the round.
  return round > 0 && stage.kind !== "exploration" && NODE_NAMES[stage.id] === undefined
    ? t`${title}, round ${round + 1}`
    : title;
}

function viewFacts(view: ViewNode): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [[t`Status`, viewWords(view)]];
  const rows = nodeRows(view);
  if (rows !== null) facts.push([t`Rows`, rowsAreCut(view) ? `${count(rows)}+` : count(rows)]);
  facts.push([t`Attempts`, view.attempts.length]);
  if (view.kept !== null) facts.push([t`Outcome`, view.kept ? t`Kept` : t`Dropped`]);
  return facts;
}

function viewWords(view: ViewNode): string {
  return { valid: t`Ran`, empty: t`Ran, no rows`, error: t`Failed` }[view.last.status];
}

function stageFacts(stage: StageNode, run: RunModel): [string, ReactNode][] {
  const usage = stageUsage(stage);
  const facts: [string, ReactNode][] = [[t`Status`, statusLabel(stage.status)]];
  const rows = nodeRows(stage);
  if (rows !== null) facts.push([t`Rows`, rowsAreCut(stage) ? `${count(rows)}+` : count(rows)]);
  if (stage.state && stage.state.fixes > 0) facts.push([t`Corrections`, stage.state.fixes]);
  facts.push([t`Time`, duration(stageMs(stage, run.lastMs))]);
  if ((usage.first_token_ms ?? 0) > 0) facts.push([t`Until the first token`, duration(usage.first_token_ms ?? 0)]);
  if (usage.prompt_tokens > 0) {
    const kept = [
      usage.cached_prompt_tokens > 0 ? t`${count(usage.cached_prompt_tokens)} cached` : "",
      usage.cache_write_tokens > 0 ? t`${count(usage.cache_write_tokens)} written to the cache` : "",
    ].filter(Boolean);
    facts.push([t`Input`, t`${count(usage.prompt_tokens)} tokens${kept.length > 0 ? ` (${kept.join(", ")})` : ""}`]);
    const reasoned = usage.reasoning_tokens > 0 ? t` (${count(usage.reasoning_tokens)} reasoning)` : "";
    facts.push([t`Output`, t`${count(usage.completion_tokens)} tokens${reasoned}`]);
  }
  const model = stage.calls[0]?.model;
  if (model) facts.push([t`Model`, model]);
  return facts;
}

function ViewDetail({ view, run, onSelect }: { view: ViewNode; run: RunModel; onSelect: (id: string) => void }) {
  const { last } = view;
  const writer = run.stages.find((s) => s.id === view.stage);
  return (
    <>
      {last.error && <p className="wrap-anywhere rounded-md bg-bad-soft px-3 py-2 text-sm">{last.error}</p>}
      <Section title="SQL">
        <SqlText sql={last.sql} dialect={run.dialect} />
      </Section>
      {last.dependsOn.length > 0 && (
        <Section title={t`Reads views`}>
          <NameLinks names={last.dependsOn} run={run} onSelect={onSelect} />
        </Section>
      )}
      {last.page && (
        <Section title={t`Sample rows`} note={rowsOf(last.page)}>
          <MiniTable page={last.page} />
        </Section>
      )}
      <ViewAttempts view={view} run={run} />
      <Section title={t`Written by`}>
        <button type="button" className="text-accent hover:underline" onClick={() => onSelect(view.stage)}>
          {writer ? nodeTitle(writer) : view.stage}
        </button>
      </Section>
    </>
  );
}

/** Attempts as tabs, if there are several: each with its SQL and the error of the database. */
function ViewAttempts({ view, run }: { view: ViewNode; run: RunModel }) {
  if (view.attempts.length < 2) return null;
  // The attempt that holds is the one to look at first, not the first one that failed.
  const held = view.attempts.findIndex((a) => a.view === view.last);
  return (
    <Section title={t`Attempts`} note={String(view.attempts.length)}>
      <Tabs.Root defaultValue={Math.max(0, held)}>
        <Tabs.List aria-label={t`Attempts`} activateOnFocus className="mb-2 flex flex-wrap gap-1">
          {view.attempts.map(({ attempt, view: { status } }, i) => (
            <Tabs.Tab
              key={attempt}
              value={i}
              className="flex h-6.5 items-center gap-1.5 rounded-md border border-line px-2 text-fg-2 text-xs hover:bg-hover data-active:border-accent-line data-active:bg-accent-soft data-active:font-medium data-active:text-fg"
            >
              <StatusIcon
                size={12}
                status={status === "error" ? "failed" : status === "empty" ? "warning" : "done"}
              />
              {i + 1}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {view.attempts.map(({ attempt, view: { error, sql } }, i) => (
          <Tabs.Panel key={attempt} value={i}>
            {error && <p className="wrap-anywhere mb-2 rounded-md bg-bad-soft px-3 py-2 text-sm">{error}</p>}
            <SqlText sql={sql} dialect={run.dialect} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Section>
  );
}

function StageDetail({ stage, run, onSelect }: { stage: StageNode; run: RunModel; onSelect: (id: string) => void }) {
  return (
    <>
      {stage.warnings.length > 0 && (
        <ul className="flex flex-col gap-1 rounded-md bg-warn-soft px-3 py-2 text-sm">
          {stage.warnings.map((w, i) => (
            <li key={i} className="wrap-anywhere">
              {w}
            </li>
          ))}
        </ul>
      )}
      <StageFindings stage={stage} run={run} onSelect={onSelect} />
      {stage.calls.length > 0 && (
        <Section title={stage.calls.length === 1 ? t`Model call` : t`Model calls`} note={String(stage.calls.length)}>
          <div className="flex flex-col gap-2">
            {stage.calls.map((call, i) => (
              <CallSection key={call.call} call={call} number={i + 1} only={stage.calls.length === 1} />
            ))}
          </div>
        </Section>
      )}
      <QuerySection queries={stage.queries} dialect={run.dialect} />
    </>
  );
}
