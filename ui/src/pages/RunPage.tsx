import { Tabs } from "@base-ui/react/tabs";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Columns2, FileCheck2, FileJson2, RefreshCw, SquareArrowOutUpRight, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from "react";
import { AnswerTab } from "../answer/AnswerTab";
import { ExportButton } from "../answer/ExportButton";
import { startEvidence } from "../answer/evidence";
import { compareRun, removeRun } from "../answer/runActions";
import { putInEditor, shownRows, showOther, useShownQuery } from "../answer/shownQuery";
import { EnvironmentBadge } from "../domain/environment";
import { placeOfRun } from "../features/ask/drafts";
import { enterPlace, useAsk } from "../features/ask/state";
import { loadCatalog, useCatalogs } from "../features/catalog/state";
import { openOrAsk, useConnections } from "../features/connections/state";
import { stepCard } from "../features/explain/picture/model";
import type { ExplainedQuery } from "../features/explain/state";
import { readFrom } from "../features/graph/model/answer";
import { type RunModel, waitsForWord } from "../features/graph/model/model";
import { exportRun, openRun, useRuns } from "../features/runs/state";
import { Button } from "../kit/button";
import { ErrorNote } from "../kit/error";
import { MenuItem, MoreMenu } from "../kit/menu";
import { Empty, LoadingText, StatusDot } from "../kit/status";
import { navigate, type RunTab } from "../navigation/route";
import { openWindow } from "../navigation/windows";
import { ChangedStrip } from "../run/ChangedStrip";
import { ConnectPanel, useUnconfirmed } from "../run/ConnectPanel";
import { GraphTab } from "../run/GraphTab";
import { useShownRun } from "../run/runModel";
import { askAgain, newQuestion } from "../run/startRun";
import { SaveButton } from "../saved/SaveButton";
import { RunAnnouncer } from "./RunAnnouncer";
import { AskedWith, RunQuestion } from "./RunQuestion";

// The editor is large: it is loaded on demand, and so is what few look at.
const CodeTab = lazy(async () => ({ default: (await import("../answer/CodeTab")).CodeTab }));
const RequestsTab = lazy(async () => ({ default: (await import("../run/RequestsTab")).RequestsTab }));
const SqlTab = lazy(async () => ({ default: (await import("../answer/SqlTab")).SqlTab }));

/** A question and everything that came of it. */
export function RunPage({ runId, tab }: { runId: string; tab: RunTab }) {
  const { run, log, running, explaining, checking, error } = useShownRun(runId);
  const [node, setNode] = useState<string | null>(null);
  const [step, setStep] = useState<string | null>(null);
  const catalog = useCatalogs((s) => s.entries[run.warehouse]?.catalog ?? null);
  const away = useCatalogs((s) => s.entries[run.warehouse]?.whole === false);
  const tables = away ? readFrom(run.sql ?? "") : (catalog?.tables.map((t) => t.name.name) ?? []);

  const shown = useShownQuery();

  useEffect(() => openRun(runId), [runId]);
  // The page shows the answer again when the user returns.
  useEffect(() => () => showOther(runId, null), [runId]);
  useEffect(() => {
    if (run.warehouse) void loadCatalog(run.warehouse);
  }, [run.warehouse]);
  // The box shows the question, to be edited and asked again, or the user's draft of that.
  const question = useRuns((s) => run.question || s.list.find((r) => r.runId === runId)?.question);
  useLayoutEffect(() => {
    // The box knows the question of a new run before the run does.
    if (question !== undefined || useAsk.getState().place !== placeOfRun(runId))
      enterPlace(placeOfRun(runId), { text: question ?? "", knowledge: run.knowledge ?? "" });
  }, [runId, question, run.knowledge]);

  if (log?.status === "failed" && log.error) {
    return (
      <div className="mx-auto w-full max-w-160 p-8">
        <h1 className="sr-only">
          <Trans>Question</Trans>
        </h1>
        <ErrorNote
          error={log.error}
          action={
            <Button onClick={() => newQuestion()}>
              <Trans>New question</Trans>
            </Button>
          }
        />
      </div>
    );
  }

  const open = (next: RunTab) => navigate({ page: "run", runId, tab: next });
  const openNode = (id: string) => {
    setNode(id);
    navigate({ page: "run", runId, tab: "graph", face: "work", form: "picture" });
  };
  const query: ExplainedQuery = {
    warehouse: run.warehouse,
    sql: run.sql ?? "",
    question: run.question,
    own: run.explanation,
    coming: explaining,
  };
  const rows = shownRows(run, tab, shown);

  return (
    <Tabs.Root value={tab} onValueChange={(next) => open(next as RunTab)} className="flex min-h-0 flex-1 flex-col">
      <RunAnnouncer run={run} running={running && (log?.live === true || run.lastSeq > 0)} error={error} />
      <div className="shrink-0 px-6 pt-2">
        <RunQuestion run={run} question={question ?? t`Question`} running={running} />
        <OtherWarehouse run={run} />
        <div className="mt-0.5 flex flex-wrap items-center gap-x-2 border-line border-b">
          <TabList running={running} run={run} tab={tab} />
          <AskedWith run={run} />
          <RunEnvironment uri={run.warehouse} />
          <div className="ml-auto flex shrink-0 items-center gap-1">
            {run.sql && !running && (
              <>
                <SaveButton run={run} tab={tab} />
                <ExportButton
                  origin={rows.origin}
                  question={run.question}
                  answer={{ runId, whose: rows.whose }}
                  disabled={rows.failed}
                />
              </>
            )}
            {run.question && (
              <MoreMenu label={t`More`}>
                <MenuItem
                  icon={<RefreshCw size={14} />}
                  onSelect={() => void askAgain(run.question, run.warehouse, run.knowledge, run.follows)}
                >
                  <Trans>Start over</Trans>
                </MenuItem>
                <MenuItem
                  icon={<SquareArrowOutUpRight size={14} />}
                  onSelect={() => void openWindow({ page: "run", runId, tab })}
                >
                  <Trans>Open in new window</Trans>
                </MenuItem>
                {!running && (
                  <MenuItem icon={<Columns2 size={14} />} onSelect={() => compareRun(run)}>
                    <Trans>Compare with another run</Trans>
                  </MenuItem>
                )}
                <MenuItem icon={<FileJson2 size={14} />} onSelect={() => void exportRun(runId)}>
                  <Trans>Export run as JSON</Trans>
                </MenuItem>
                {run.sql && !running && (
                  <MenuItem icon={<FileCheck2 size={14} />} onSelect={() => startEvidence(run)}>
                    <Trans>Evidence bundle…</Trans>
                  </MenuItem>
                )}
                {!running && (
                  <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => removeRun(runId)}>
                    <Trans>Delete</Trans>
                  </MenuItem>
                )}
              </MoreMenu>
            )}
          </div>
        </div>
      </div>
      <ChangedStrip run={run} />
      {run.offered && tab !== "answer" && (
        <Waits button={t`Choose`} onOpen={() => open("answer")}>
          <Trans>Vitrine is waiting for your choice: the question has {run.offered.length} interpretations.</Trans>
        </Waits>
      )}
      {run.approval && tab !== "answer" && (
        <Waits button={t`Review query`} onOpen={() => open("answer")}>
          <Trans>A query needs your approval before it runs.</Trans>
        </Waits>
      )}
      {waitsForWord(run) && tab !== "answer" && (
        <Waits button={t`Show result`} onOpen={() => open("answer")}>
          <Trans>A first answer is ready. Choose whether Vitrine keeps looking.</Trans>
        </Waits>
      )}
      <Panel value="answer">
        {run.lastSeq === 0 ? (
          <LoadingText className="p-6" />
        ) : (
          <AnswerTab
            run={run}
            running={running}
            checking={checking}
            error={error}
            tables={tables}
            onOpen={openNode}
            query={query}
            onSql={() => open("sql")}
            onStep={(name) => {
              setStep(name === null ? null : stepCard(name));
              navigate({ page: "run", runId, tab: "graph", face: "data", form: "picture" });
            }}
          />
        )}
      </Panel>
      <Panel value="graph">
        <GraphTab
          run={run}
          running={running}
          query={query}
          node={node}
          step={step}
          onNode={setNode}
          onStep={setStep}
          onRows={(sql) => {
            putInEditor(runId, sql);
            open("sql");
          }}
        />
      </Panel>
      <Panel value="sql">
        {run.code ? (
          <CodeTab key={`${runId}:${run.code}`} run={run} />
        ) : run.sql ? (
          <SqlTab key={`${runId}:${run.sql}`} run={run} catalog={catalog} />
        ) : (
          <Empty icon={<FileJson2 size={20} />} title={running ? t`No SQL yet` : t`No SQL`}>
            {running ? t`The SQL appears here when it is written.` : t`The run ended before any SQL was written.`}
          </Empty>
        )}
      </Panel>
      <Panel value="sent">
        {run.lastSeq === 0 ? (
          <LoadingText className="p-6" />
        ) : (
          <RequestsTab run={run} running={running} onStep={openNode} />
        )}
      </Panel>
    </Tabs.Root>
  );
}

function TabList({ run, running, tab }: { run: RunModel; running: boolean; tab: RunTab }) {
  const names: [RunTab, string][] = [
    ["answer", running ? t`Progress` : t`Answer`],
    ["graph", t`Graph`],
    ["sql", run.code ? t`SQL and Python` : "SQL"],
    ["sent", t`Sent out`],
  ];
  return (
    <Tabs.List className="relative flex gap-1">
      {names.map(([value, label]) => (
        <Tabs.Tab
          key={value}
          value={value}
          disabled={value === "sql" && !run.sql && running}
          data-tour={value === "graph" ? "keep" : undefined}
          className="h-9 rounded-t-md px-3 text-fg-2 outline-offset-[-2px] transition-colors hover:text-fg data-active:font-medium data-active:text-fg data-disabled:opacity-40"
        >
          {label}
          {value === "answer" && (run.offered || run.approval || waitsForWord(run)) && tab !== "answer" && (
            <span className="ml-2 inline-flex align-middle">
              <StatusDot status="needsYou" />
            </span>
          )}
        </Tabs.Tab>
      ))}
      <Tabs.Indicator className="absolute bottom-[-1px] left-(--active-tab-left) h-0.5 w-(--active-tab-width) rounded-full bg-accent transition-all duration-150" />
    </Tabs.List>
  );
}

/** The run waits for something that is shown on another tab. */
function Waits({ button, onOpen, children }: { button: string; onOpen: () => void; children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex shrink-0 items-center gap-3 border-line border-b bg-warn-soft px-6 py-1.5 text-sm"
    >
      <span className="min-w-0 flex-1">{children}</span>
      <Button size="sm" onClick={onOpen}>
        {button}
      </Button>
    </div>
  );
}

function Panel({ value, children }: { value: RunTab; children: React.ReactNode }) {
  return (
    <Tabs.Panel value={value} className="flex min-h-0 flex-1 flex-col outline-none" tabIndex={-1}>
      <Suspense fallback={<LoadingText className="p-6" />}>{children}</Suspense>
    </Tabs.Panel>
  );
}

/** The environment of the run's connection. */
function RunEnvironment({ uri }: { uri: string }) {
  const environment = useConnections((s) => s.entries.find((e) => e.uri === uri)?.connection?.environment);
  return <EnvironmentBadge environment={environment} />;
}

/** The run belongs to a warehouse that is not the open one. */
function OtherWarehouse({ run }: { run: RunModel }) {
  const { current, entries } = useConnections();
  const unconfirmed = useUnconfirmed(run.warehouse);
  if (unconfirmed) {
    return (
      <div className="mt-2.5">
        <ConnectPanel uri={run.warehouse} what="run" />
      </div>
    );
  }
  if (!run.warehouse || !current || current.uri === run.warehouse) return null;
  const title = entries.find((e) => e.uri === run.warehouse)?.title ?? run.warehouse;
  return (
    <p className="mt-1.5 px-1 text-fg-3 text-sm">
      <Trans>
        This question was asked about {title}.{" "}
        <button type="button" className="text-accent hover:underline" onClick={() => void openOrAsk(run.warehouse)}>
          Switch warehouse
        </button>
      </Trans>
    </p>
  );
}
