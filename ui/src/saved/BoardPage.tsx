import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronDown, LayoutGrid, Plus, RotateCw, TriangleAlert, X } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { chartsOf } from "../answer/AnswerChart";
import { columnLabel, headlineText, valueMeaning, valueScope } from "../answer/headline";
import { CertaintyIcon, certaintyLabel } from "../domain/certainty";
import { useConnections } from "../features/connections/state";
import { openRun } from "../features/runs/state";
import {
  loadCard,
  MOST_ON_BOARD,
  putOnBoard,
  refreshAll,
  refreshCard,
  stopRefreshing,
  useBoard,
} from "../features/saved/board";
import { STATUS_TONES } from "../features/saved/SavedPage";
import { loadDrifts, loadSaved, useSaved } from "../features/saved/state";
import { STATUS_WORDS } from "../features/saved/words";
import type { CertaintyLevel, SavedQuestion, SavedResult } from "../host/bindings";
import { Button, IconButton } from "../kit/button";
import { ErrorNote } from "../kit/error";
import { focusNeighbour } from "../kit/focusNeighbour";
import { calendarDay, clipText, fileName, timeOfDay } from "../kit/format";
import { Menu, MenuSwitch } from "../kit/menu";
import { MiniTable } from "../kit/miniTable";
import { showOf } from "../kit/show";
import { Badge, Empty, LoadingText, Progress, Skeleton } from "../kit/status";
import { navigate } from "../navigation/route";
import { useShownRun } from "../run/runModel";

// Vega is large, and a board may have no chart.
const ChartFigure = lazy(async () => ({ default: (await import("../features/chart/ChartFigure")).ChartFigure }));

const CHART_HEIGHT = 180;
/** Rows of a table on a card. */
const ROWS = 5;

/** Saved answers together, each with its sentence, its certainty and its age; they refresh one after another. */
export function BoardPage() {
  const { list, hidden, status, error } = useSaved();
  const { ids, progress } = useBoard();
  const entries = useConnections((s) => s.entries);
  useEffect(() => {
    void loadSaved();
    void loadDrifts();
  }, []);
  // Code needs its views; only queries refresh here.
  const able = list.filter(({ id, code }) => code === null && !hidden.includes(id));
  const shown = ids.flatMap((id) => able.find((question) => question.id === id) ?? []);
  const known = (question: SavedQuestion) => entries.some(({ uri }) => uri === question.warehouse);
  const refreshable = shown.filter(known);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="@container mx-auto flex min-h-full w-full max-w-300 flex-col px-8 py-6">
        <div className="flex flex-wrap items-center gap-2">
          <h1 tabIndex={-1} className="mr-auto font-semibold text-xl outline-none">
            <Trans>Board</Trans>
          </h1>
          {refreshable.length > 0 && !progress && (
            <Button icon={<RotateCw size={14} />} onClick={() => void refreshAll(refreshable)}>
              <Trans>Refresh all</Trans>
            </Button>
          )}
          {able.length > 0 && <Choose questions={able} ids={ids} />}
        </div>
        {progress && (
          <div role="status" className="mt-4 flex items-center gap-3 text-sm">
            <span className="nums shrink-0">
              {progress.stopping ? t`Stopping after this one` : t`Refreshing ${progress.done + 1} of ${progress.of}`}
            </span>
            <Progress value={progress.done / progress.of} label={t`Refreshing the board`} />
            <Button size="sm" disabled={progress.stopping} onClick={stopRefreshing}>
              <Trans>Cancel</Trans>
            </Button>
          </div>
        )}
        {status === "loading" && (
          <div className="mt-5 grid gap-4 @3xl:grid-cols-2" aria-busy="true">
            {[1, 2].map((n) => (
              <Skeleton key={n} className="h-60 rounded-lg" />
            ))}
          </div>
        )}
        {status === "failed" && error && (
          <div className="mt-5">
            <ErrorNote error={error} again={() => void loadSaved()} />
          </div>
        )}
        {status === "ready" && shown.length === 0 && (
          <Empty
            icon={<LayoutGrid size={20} />}
            title={t`Nothing on the board yet`}
            action={
              able.length === 0 && (
                <Button onClick={() => navigate({ page: "saved", id: null })}>
                  <Trans>Saved questions</Trans>
                </Button>
              )
            }
          >
            {able.length === 0
              ? t`Save an answer first. Then add it here to see it beside others.`
              : t`Add saved answers to see them together and to refresh them at once.`}
          </Empty>
        )}
        <ul className="mt-5 grid gap-4 @3xl:grid-cols-2 @6xl:grid-cols-3">
          {shown.map((question) => (
            <Card key={question.id} question={question} known={known(question)} />
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Chooses the answers on the board. */
function Choose({ questions, ids }: { questions: SavedQuestion[]; ids: string[] }) {
  const full = ids.length >= MOST_ON_BOARD;
  return (
    <Menu
      align="end"
      width="min-w-64 max-w-100"
      trigger={
        <Button data-stays icon={<Plus size={14} />}>
          <Trans>Saved answers</Trans> <ChevronDown size={13} aria-hidden />
        </Button>
      }
    >
      {questions.map(({ id, title }) => (
        <MenuSwitch key={id} checked={ids.includes(id)} onChange={(on) => (!on || !full) && putOnBoard(id, on)}>
          {clipText(title, 100)}
        </MenuSwitch>
      ))}
    </Menu>
  );
}

function Card({ question, known }: { question: SavedQuestion; known: boolean }) {
  const { id, title, status } = question;
  const card = useBoard((s) => s.cards[id]);
  const refreshing = useBoard((s) => s.progress !== null);
  const changes = useSaved((s) => s.drifts[id]);
  const warehouse = useConnections((s) => s.entries.find((e) => e.uri === question.warehouse)?.title);
  const certainty = useCertainty(question);
  useEffect(() => void loadCard(id), [id]);
  const { result = null, error = null } = card ?? {};
  const busy = card?.status === "refreshing";
  return (
    <li className="flex min-w-0 flex-col rounded-lg border border-line bg-bg p-4 shadow-card">
      <div className="flex items-start gap-1">
        <button
          type="button"
          onClick={() => navigate({ page: "saved", id })}
          className="wrap-anywhere line-clamp-2 min-w-0 flex-1 rounded-sm text-left font-medium hover:underline"
        >
          {title}
        </button>
        {known && (
          <IconButton
            size="sm"
            label={t`Refresh ${title}`}
            disabled={busy || refreshing}
            onClick={() => void refreshCard(question)}
          >
            <RotateCw size={13} className={busy ? "spin" : undefined} />
          </IconButton>
        )}
        <IconButton
          size="sm"
          data-removes
          label={t`Take ${title} off the board`}
          onClick={(event) => {
            focusNeighbour(event.currentTarget);
            putOnBoard(id, false);
          }}
        >
          <X size={13} />
        </IconButton>
      </div>
      <div className="mt-2 min-h-24 flex-1" aria-busy={busy || undefined}>
        {card === undefined || card.status === "loading" ? (
          <LoadingText />
        ) : result ? (
          <Result result={result} />
        ) : (
          !error && (
            <p className="text-fg-3 text-sm">
              {known ? t`No result yet. Refresh it.` : t`No result yet. Open its database first.`}
            </p>
          )
        )}
        {error && (
          <div className="mt-2">
            <ErrorNote error={error} compact />
          </div>
        )}
      </div>
      <p className="nums mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-fg-3 text-sm">
        <Badge tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Badge>
        {certainty && (
          <span className="inline-flex items-center gap-1" title={t`When it was asked`}>
            <CertaintyIcon level={certainty} size={13} />
            {certaintyLabel(certainty)}
          </span>
        )}
        {changes && (
          <span title={changes.join("\n")}>
            <Badge tone="warn">
              <TriangleAlert size={11} aria-hidden /> <Trans>schema changed</Trans>
            </Badge>
          </span>
        )}
        {result && <span>{t`As of ${calendarDay(result.at)}, ${timeOfDay(result.at)}`}</span>}
        <span className="min-w-0 truncate">{warehouse ?? fileName(question.warehouse)}</span>
      </p>
    </li>
  );
}

/** How sure the answer was when it was asked; null where another query was saved. */
function useCertainty({ runId, sql }: SavedQuestion): CertaintyLevel | null {
  const { run } = useShownRun(runId ?? "");
  useEffect(() => {
    if (runId !== null) openRun(runId);
  }, [runId]);
  return runId !== null && run.sql?.trim() === sql.trim() ? (run.certainty?.level ?? null) : null;
}

/** The value of an answer, or its sentence with a small chart or its first rows. */
function Result({ result: { page, headline } }: { result: SavedResult }) {
  const charts = useMemo(() => chartsOf(page, headline), [page, headline]);
  const named = useMemo(
    () => ({
      columns: page.columns,
      labels: page.columns.map((column, at) => columnLabel(column, headline?.meanings[at])),
    }),
    [page, headline],
  );
  const scope = valueScope(headline);
  const [column] = page.columns;
  if (page.rows.length === 1 && page.columns.length === 1 && !page.truncated) {
    const value = page.rows[0]?.[0] ?? null;
    return (
      <>
        <p className="text-fg-2 text-sm">{valueMeaning(column!, headline)}</p>
        <p className="nums wrap-anywhere font-semibold text-2xl">
          {value === null ? <span className="text-fg-3 italic">NULL</span> : clipText(showOf(column!)(value), 200)}
        </p>
        <Scope text={scope} />
      </>
    );
  }
  const chart = charts?.measures[0]?.charts[0];
  return (
    <>
      <p className="nums wrap-anywhere line-clamp-3">{headlineText(headline, page)}</p>
      <Scope text={scope} />
      {chart ? (
        <Suspense fallback={<Skeleton className="h-44 rounded-md" />}>
          <ChartFigure named={named} chart={chart} rows={page.rows} height={CHART_HEIGHT} />
        </Suspense>
      ) : (
        page.rowCount > 0 && <MiniTable page={page} rows={ROWS} readable />
      )}
    </>
  );
}

/** The tables and conditions of a result: its title may not say them. */
function Scope({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <p title={text} className="wrap-anywhere mb-2 line-clamp-2 text-fg-2 text-sm">
      {text}
    </p>
  );
}
