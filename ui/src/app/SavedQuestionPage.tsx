import { ArrowLeft } from "lucide-react";
import { useEffect } from "react";
import { loadCatalog, useCatalogs } from "../features/catalog/state";
import { useConnections } from "../features/connections/state";
import { SqlWorkbench } from "../features/editor/SqlWorkbench";
import { useResult } from "../features/grid/state";
import { draftOf, loadSaved, startSaving, useSaved } from "../features/saved/state";
import { useSettings } from "../features/settings/state";
import type { SavedQuestion } from "../host/bindings";
import { Button } from "../kit/button";
import { clip } from "../kit/format";
import { Badge, Empty, Skeleton } from "../kit/status";
import { askAgain } from "./asking";
import { go } from "./route";
import { isBusy, resultPane } from "./SqlTab";

/** A saved question: its SQL, run on the data of today. */
export function SavedQuestionPage({ id }: { id: string }) {
  const question = useSaved((s) => s.list.find((q) => q.id === id));
  const status = useSaved((s) => s.status);
  useEffect(() => {
    if (!useSaved.getState().list.some((q) => q.id === id)) void loadSaved("");
  }, [id]);
  if (question) return <Loaded key={question.id} question={question} />;
  if (status === "loading") return <Skeleton className="m-8 h-8 w-1/2" />;
  return (
    <Empty
      icon={<ArrowLeft size={20} />}
      title="This question is no longer saved"
      action={<Button onClick={() => go({ page: "saved", id: null })}>All saved questions</Button>}
    />
  );
}

function Loaded({ question }: { question: SavedQuestion }) {
  const catalog = useCatalogs((s) => s.entries[question.warehouse]?.catalog ?? null);
  const title = useConnections((s) => s.entries.find((e) => e.uri === question.warehouse)?.title);
  const rowLimit = useSettings((s) => s.settings?.rowLimit ?? 10_000);
  const result = useResult(question.warehouse);
  useEffect(() => void loadCatalog(question.warehouse), [question.warehouse]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on opening
  useEffect(() => void result.run(question.sql, rowLimit), []);
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
      <SqlWorkbench
        draftKey={`saved:${question.id}`}
        sql={question.sql}
        dialect={catalog?.dialect ?? null}
        warehouse={question.warehouse}
        catalog={catalog}
        revision={null}
        running={isBusy(result.state)}
        error={result.state.status === "failed" ? result.state.error : null}
        result={resultPane(result.state, question.warehouse, question.title, result.last)}
        onRun={(sql) => void result.run(sql, rowLimit)}
        onStop={result.stop}
        onSave={(sql) => startSaving({ ...draftOf(question), sql })}
      />
    </div>
  );
}
