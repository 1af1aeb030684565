import { ArrowLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { loadCatalog, useCatalogs } from "../features/catalog/state";
import { useConnections } from "../features/connections/state";
import { SqlWorkbench } from "../features/editor/SqlWorkbench";
import { ExplanationView } from "../features/explain/ExplanationView";
import { useResult } from "../features/grid/state";
import { draftOf, loadSaved, startSaving, useSaved, withQuery } from "../features/saved/state";
import { useSettings } from "../features/settings/state";
import type { SavedCode, SavedQuestion } from "../host/bindings";
import { host } from "../host/host";
import { Button } from "../kit/button";
import { clip } from "../kit/format";
import { Segmented, type SegmentedChoice } from "../kit/segmented";
import { SqlText } from "../kit/sqlText";
import { Badge, Empty, Skeleton } from "../kit/status";
import { askAgain } from "./asking";
import { CodePane } from "./CodePane";
import { ConnectPanel, useUnconfirmed } from "./ConnectPanel";
import { go } from "./route";
import { isBusy, sqlResult } from "./SqlTab";
import { putInDraft } from "./shown";
import { useCode } from "./useCode";
import { useExplain } from "./useExplain";

/** A saved question: its SQL, or its code over newly fetched views, run on current data. */
export function SavedQuestionPage({ id }: { id: string }) {
  const question = useSaved((s) => s.list.find((q) => q.id === id));
  const status = useSaved((s) => s.status);
  useEffect(() => {
    if (!useSaved.getState().list.some((q) => q.id === id)) void loadSaved("");
  }, [id]);
  if (question) return <Loaded key={question.id} question={question} />;
  if (status === "loading") return <Skeleton className="m-8 h-8 w-1/2" />;
  return (
    <>
      <h1 className="sr-only">Saved question</h1>
      <Empty
        icon={<ArrowLeft size={20} />}
        title="This saved question no longer exists"
        action={<Button onClick={() => go({ page: "saved", id: null })}>All saved questions</Button>}
      />
    </>
  );
}

function Loaded({ question }: { question: SavedQuestion }) {
  const title = useConnections((s) => s.entries.find((e) => e.uri === question.warehouse)?.title);
  const looked = useCatalogs((s) => s.entries[question.warehouse] !== undefined);
  const unconfirmed = useUnconfirmed(question.warehouse);
  useEffect(() => void loadCatalog(question.warehouse), [question.warehouse]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-start justify-between gap-4 border-line border-b px-5 py-3.5">
        <div className="min-w-0">
          <button
            type="button"
            onClick={() => go({ page: "saved", id: null })}
            className="mb-1 inline-flex items-center gap-1 rounded-sm text-fg-3 text-sm hover:text-fg"
          >
            <ArrowLeft size={13} aria-hidden /> Saved
          </button>
          <div className="flex items-center gap-2">
            <h1 className="wrap-anywhere font-semibold text-lg">{question.title}</h1>
            <Badge
              tone={question.status === "verified" ? "good" : question.status === "reviewed" ? "accent" : "plain"}
            >
              {question.status}
            </Badge>
          </div>
          <p className="wrap-anywhere text-fg-2 text-sm">
            {clip(question.question, 300)}
            {title && <span className="text-fg-3"> · {title}</span>}
          </p>
          {question.notes && <p className="wrap-anywhere mt-1 whitespace-pre-wrap text-sm">{question.notes}</p>}
        </div>
        <div className="flex shrink-0 gap-2">
          <Button size="sm" onClick={() => startSaving(draftOf(question))}>
            Edit
          </Button>
          <Button size="sm" onClick={() => void askAgain(question.question, question.warehouse)}>
            Ask again
          </Button>
        </div>
      </div>
      {unconfirmed ? (
        <div className="flex flex-col gap-4 overflow-y-auto p-5">
          <ConnectPanel uri={question.warehouse} what="question" />
          <SqlText sql={question.sql} dialect={null} />
        </div>
      ) : title === undefined && !looked ? null : question.code ? (
        <Code question={question} saved={question.code} />
      ) : (
        <Sql question={question} />
      )}
    </div>
  );
}

type Side = "sql" | "how";

const SIDES: SegmentedChoice<Side>[] = [
  { value: "sql", label: "SQL and rows" },
  { value: "how", label: "Explanation" },
];

function Sql({ question }: { question: SavedQuestion }) {
  const [side, setSide] = useState<Side>("sql");
  const dialect = useCatalogs((s) => s.entries[question.warehouse]?.catalog?.dialect ?? null);
  const { warehouse, sql } = question;
  return (
    <>
      <div className="shrink-0 border-line border-b px-5 py-1.5">
        <Segmented label="Display" value={side} choices={SIDES} onChange={setSide} />
      </div>
      {side === "sql" ? (
        <SqlSide question={question} />
      ) : (
        <ExplanationView
          query={{ warehouse, sql, question: question.question }}
          dialect={dialect}
          onRows={(rows) => {
            putInDraft(`saved:${question.id}`, rows);
            setSide("sql");
          }}
        />
      )}
    </>
  );
}

function SqlSide({ question }: { question: SavedQuestion }) {
  const { warehouse } = question;
  const catalog = useCatalogs((s) => s.entries[warehouse]?.catalog ?? null);
  const rowLimit = useSettings((s) => s.settings?.rowLimit ?? 10_000);
  const result = useResult();
  const draftKey = `saved:${question.id}`;
  const dialect = catalog?.dialect ?? null;
  const explain = useExplain({ warehouse, question: question.question }, dialect, (sql) => putInDraft(draftKey, sql));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on opening
  useEffect(() => void result.run({ warehouse, sql: question.sql }, rowLimit), []);
  return (
    <SqlWorkbench
      draftKey={draftKey}
      sql={question.sql}
      dialect={dialect}
      warehouse={warehouse}
      catalog={catalog}
      revision={null}
      running={isBusy(result.state)}
      error={result.state.status === "failed" ? result.state.error : null}
      explaining={explain.explaining}
      result={explain.pane || sqlResult(result, question.title)}
      onExplain={explain.explain}
      onRun={(sql) => {
        explain.hide();
        void result.run({ warehouse, sql }, rowLimit);
      }}
      onStop={result.stop}
      onSave={(sql) => startSaving(withQuery(question, { sql }))}
    />
  );
}

function Code({ question, saved }: { question: SavedQuestion; saved: SavedCode }) {
  const dialect = useCatalogs((s) => s.entries[question.warehouse]?.catalog?.dialect ?? null);
  const work = useCode(question.id, (code) => host().runSavedCode(question.id, code));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on opening
  useEffect(() => void work.run(saved.code), []);
  return (
    <CodePane
      draftKey={`saved:${question.id}`}
      code={saved.code}
      queries={<SqlText plain sql={question.sql} dialect={dialect} />}
      views={saved.views}
      question={question.title}
      work={work}
      onSave={(code) => startSaving(withQuery(question, { code: { ...saved, code } }))}
    />
  );
}
