import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowLeft, ChevronDown, LayoutGrid, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { CodePane } from "../answer/CodePane";
import { isBusy, sqlResult } from "../answer/SqlTab";
import { putInDraft } from "../answer/shownQuery";
import { useCode } from "../answer/useCode";
import { useExplain } from "../answer/useExplain";
import { useNamesAway } from "../features/catalog/large";
import { loadCatalog, useCatalogs } from "../features/catalog/state";
import { useConnections } from "../features/connections/state";
import { COMPLETIONS } from "../features/editor/language";
import { SqlWorkbench } from "../features/editor/SqlWorkbench";
import { ExplanationView } from "../features/explain/ExplanationView";
import { useResult } from "../features/grid/state";
import { MOST_ON_BOARD, putOnBoard, useBoard } from "../features/saved/board";
import { STATUS_TONES } from "../features/saved/SavedPage";
import { draftOf, loadSaved, markSaved, startSaving, useSaved, withQuery } from "../features/saved/state";
import { STATUS_WORDS } from "../features/saved/words";
import { useSettings } from "../features/settings/state";
import { WatchButton } from "../features/watches/WatchesPage";
import type { SavedCode, SavedQuestion } from "../host/bindings";
import { host } from "../host/host";
import { Button } from "../kit/button";
import { calendarDay, clipText } from "../kit/format";
import { Menu, MenuItem } from "../kit/menu";
import { Segmented, type SegmentedChoice } from "../kit/segmented";
import { SqlText } from "../kit/sqlText";
import { Badge, Empty, Skeleton } from "../kit/status";
import { TextButton } from "../kit/textButton";
import { navigate } from "../navigation/route";
import { ConnectPanel, useUnconfirmed } from "../run/ConnectPanel";
import { askAgain } from "../run/startRun";
import { SavedAnswer } from "./SavedAnswer";

/** A saved question: what it gave last, its SQL, or its code over newly fetched views. */
export function SavedQuestionPage({ id }: { id: string }) {
  const question = useSaved((s) => s.list.find((q) => q.id === id));
  const status = useSaved((s) => s.status);
  useEffect(() => {
    if (!useSaved.getState().list.some((q) => q.id === id)) void loadSaved();
  }, [id]);
  if (question) return <Loaded key={question.id} question={question} />;
  if (status === "loading") return <Skeleton className="m-8 h-8 w-1/2" />;
  return (
    <>
      <h1 className="sr-only">
        <Trans>Saved question</Trans>
      </h1>
      <Empty
        icon={<ArrowLeft size={20} />}
        title={t`This saved question no longer exists`}
        action={
          <Button onClick={() => navigate({ page: "saved", id: null })}>
            <Trans>All saved questions</Trans>
          </Button>
        }
      />
    </>
  );
}

function Loaded({ question }: { question: SavedQuestion }) {
  const title = useConnections((s) => s.entries.find((e) => e.uri === question.warehouse)?.title);
  const looked = useCatalogs((s) => s.entries[question.warehouse] !== undefined);
  const unconfirmed = useUnconfirmed(question.warehouse);
  useEffect(() => void loadCatalog(question.warehouse), [question.warehouse]);
  const { runId, filing } = question;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex max-h-[60%] shrink-0 flex-wrap items-start justify-between gap-x-4 gap-y-2 overflow-y-auto border-line border-b px-6 py-3.5">
        <div className="min-w-0 flex-1 basis-60">
          <button
            type="button"
            onClick={() => navigate({ page: "saved", id: null })}
            className="mb-1 inline-flex items-center gap-1 rounded-sm text-fg-3 text-sm hover:text-fg"
          >
            <ArrowLeft size={13} aria-hidden /> <Trans>Saved</Trans>
            {filing.folder && ` · ${filing.folder.split("/").join(" › ")}`}
          </button>
          <h1 className="wrap-anywhere font-semibold text-lg">{question.title}</h1>
          <p className="wrap-anywhere text-fg-2 text-sm">
            {clipText(question.question, 300)}
            {title && <span className="text-fg-3"> · {title}</span>}
          </p>
          {filing.readings.length > 0 && (
            <p className="wrap-anywhere text-fg-2 text-sm">
              <Trans>Meaning: {filing.readings.join(", ")}</Trans>
            </p>
          )}
          <p className="wrap-anywhere nums mt-1 flex flex-wrap items-center gap-x-2 text-fg-3 text-sm">
            <Badge tone={STATUS_TONES[question.status]}>{STATUS_WORDS[question.status]}</Badge>
            <Standing question={question} />
            {filing.tags.length > 0 && <span>{filing.tags.join(", ")}</span>}
            {runId && (
              <TextButton onClick={() => navigate({ page: "run", runId, tab: "graph" })}>
                <Trans>Show how it was answered</Trans>
              </TextButton>
            )}
          </p>
          {question.notes && <p className="wrap-anywhere mt-1 whitespace-pre-wrap text-sm">{question.notes}</p>}
        </div>
        <div className="flex shrink-0 flex-wrap gap-2">
          {!unconfirmed && <CheckMenu question={question} />}
          {!unconfirmed && <WatchButton question={question} />}
          <BoardButton question={question} />
          <Button size="sm" onClick={() => startSaving(draftOf(question))}>
            <Trans>Edit</Trans>
          </Button>
          <Button size="sm" onClick={() => void askAgain(question.question, question.warehouse)}>
            <Trans>Ask again</Trans>
          </Button>
        </div>
      </div>
      {!unconfirmed && <Drift key={question.updatedAt} question={question} />}
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

/** Who has checked it and when, and what it gave then. */
function Standing({ question: { filing, status } }: { question: SavedQuestion }) {
  const { checked } = filing;
  // From a file or another workspace, it may say that it was checked and not by whom.
  if (!checked && status !== "draft") return null;
  if (!checked)
    return (
      <span>
        <Trans>Not checked yet.</Trans>
      </span>
    );
  return (
    <span>
      {checked.by ? t`by ${checked.by} on ${calendarDay(checked.at)}` : t`on ${calendarDay(checked.at)}`}
      {checked.result && ` (${plural(checked.result.rows, { one: "# row", other: "# rows" })})`}
    </span>
  );
}

/** Puts the question on the board, or takes it off. */
function BoardButton({ question: { id, code } }: { question: SavedQuestion }) {
  const on = useBoard((s) => s.ids.includes(id));
  const full = useBoard((s) => s.ids.length >= MOST_ON_BOARD);
  if (code !== null) return null;
  return (
    <Button
      size="sm"
      icon={<LayoutGrid size={13} />}
      data-board
      aria-pressed={on}
      disabled={full && !on}
      onClick={() => putOnBoard(id, !on)}
    >
      {on ? t`On the board` : t`Add to board`}
    </Button>
  );
}

function CheckMenu({ question }: { question: SavedQuestion }) {
  const [busy, setBusy] = useState(false);
  const set = async (status: SavedQuestion["status"]) => {
    setBusy(true);
    await markSaved(question, status);
    setBusy(false);
  };
  return (
    <Menu
      align="end"
      width="min-w-64"
      trigger={
        <Button size="sm" busy={busy}>
          <Trans>Mark as</Trans> <ChevronDown size={13} aria-hidden />
        </Button>
      }
    >
      <MenuItem note={question.code ? undefined : t`runs the query`} onSelect={() => void set("verified")}>
        <Trans>Verified: numbers checked</Trans>
      </MenuItem>
      <MenuItem onSelect={() => void set("reviewed")}>
        {question.code ? t`Reviewed: code read` : t`Reviewed: SQL read`}
      </MenuItem>
      {question.status !== "draft" && (
        <MenuItem onSelect={() => void set("draft")}>
          <Trans>Draft</Trans>
        </MenuItem>
      )}
    </Menu>
  );
}

/** Lists changes of the tables and columns that the question uses. */
function Drift({ question }: { question: SavedQuestion }) {
  const [changes, setChanges] = useState<string[]>([]);
  useEffect(() => {
    let here = true;
    host()
      .savedDrift(question.id)
      .then((found) => here && setChanges(found ?? []))
      // An unavailable database is reported where its rows are requested.
      .catch(() => {});
    return () => {
      here = false;
    };
  }, [question.id]);
  if (changes.length === 0) return null;
  return (
    <div role="status" className="flex shrink-0 gap-2.5 border-line border-b bg-warn-soft px-6 py-2 text-sm">
      <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" aria-hidden />
      <div className="min-w-0">
        <p className="font-medium">
          <Trans>The schema has changed since this question was saved or checked.</Trans>
        </p>
        <ul>
          {changes.map((change) => (
            <li key={change} className="wrap-anywhere">
              {change}.
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

type Side = "answer" | "sql" | "how";

const SIDES: SegmentedChoice<Side>[] = [
  {
    value: "answer",
    get label() {
      return t`Answer`;
    },
  },
  { value: "sql", label: "SQL" },
  {
    value: "how",
    get label() {
      return t`Explanation`;
    },
  },
];

function Sql({ question }: { question: SavedQuestion }) {
  const [side, setSide] = useState<Side>("answer");
  const dialect = useCatalogs((s) => s.entries[question.warehouse]?.catalog?.dialect ?? null);
  const { warehouse, sql } = question;
  return (
    <>
      <div className="shrink-0 border-line border-b px-6 py-1.5">
        <Segmented label={t`Display`} value={side} choices={SIDES} onChange={setSide} />
      </div>
      {side === "answer" ? (
        <SavedAnswer key={sql} question={question} />
      ) : side === "sql" ? (
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
  const namesAway = useNamesAway(warehouse, COMPLETIONS);
  const rowLimit = useSettings((s) => s.settings?.rowLimit ?? 10_000);
  const result = useResult();
  const [part, setPart] = useState<string | null>(null);
  const draftKey = `saved:${question.id}`;
  const dialect = catalog?.dialect ?? null;
  const explain = useExplain({ warehouse, question: question.question }, dialect, (sql) => putInDraft(draftKey, sql));
  return (
    <SqlWorkbench
      draftKey={draftKey}
      sql={question.sql}
      dialect={dialect}
      warehouse={warehouse}
      catalog={catalog}
      namesAway={namesAway}
      revision={null}
      running={isBusy(result.state)}
      error={result.state.status === "failed" ? result.state.error : null}
      explaining={explain.explaining}
      planning={explain.planning}
      result={explain.pane || sqlResult(result, question.title, part)}
      onExplain={explain.explain}
      onPlan={explain.plan}
      onRun={(sql, name) => {
        explain.hide();
        setPart(name ?? null);
        void result.run({ warehouse, sql }, rowLimit);
      }}
      onStop={result.stop}
      onSave={(sql, parameters) => startSaving(withQuery(question, { sql }), parameters)}
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
