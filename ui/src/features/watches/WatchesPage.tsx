import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronDown, Eye, EyeOff, Pencil, Play, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { SavedQuestion, WatchedAnswer, WatchRun } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Disclosure } from "../../kit/disclosure";
import { ErrorNote } from "../../kit/error";
import { useFocusNeighbour } from "../../kit/focusNeighbour";
import { bytes, calendarDay, clipText, duration, fileName, timeOfDay } from "../../kit/format";
import { Menu, MenuItem, MoreMenu } from "../../kit/menu";
import { Empty, Skeleton, StatusIcon } from "../../kit/status";
import { loadWatches, RUNS, runDue, startWatching, stopWatching, useWatches } from "./state";
import { lastChange, OUTCOME_STATUS, OUTCOMES, planInWords } from "./words";

interface WatchesPageProps {
  /** Saved questions, of which those with a query can be watched. */
  saved: SavedQuestion[];
  warehouseTitle: (uri: string) => string;
  onOpen: (savedId: string) => void;
  onSaved: () => void;
}

/** The watched answers: what ran, what runs next, and what has changed. */
export function WatchesPage({ saved, warehouseTitle, onOpen, onSaved }: WatchesPageProps) {
  const { list, status, error, timer, running } = useWatches();
  useEffect(() => void loadWatches(), []);
  const watched = new Set(list.map(({ watch }) => watch.savedId));
  const others = saved.filter(({ id, code }) => code === null && !watched.has(id));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-220 flex-col px-8 py-6">
        <div className="flex flex-wrap items-center gap-2">
          <h1 tabIndex={-1} className="mr-auto font-semibold text-xl outline-none">
            <Trans>Watched answers</Trans>
          </h1>
          {list.length > 0 && (
            <Button icon={<Play size={14} />} busy={running} onClick={() => void runDue()}>
              <Trans>Run due now</Trans>
            </Button>
          )}
          {others.length > 0 && (
            <Menu
              align="end"
              width="min-w-64 max-w-100"
              trigger={
                <Button data-stays icon={<Eye size={14} />}>
                  <Trans>Watch a saved question</Trans> <ChevronDown size={13} aria-hidden />
                </Button>
              }
            >
              {others.map((question) => (
                <MenuItem key={question.id} onSelect={() => startWatching(question)}>
                  {clipText(question.title, 100)}
                </MenuItem>
              ))}
            </Menu>
          )}
        </div>
        {status === "ready" && timer === false && list.length > 0 && (
          <p role="status" className="mt-4 flex gap-2.5 rounded-lg bg-warn-soft px-4 py-2.5 text-sm">
            <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" aria-hidden />
            <span className="min-w-0">
              <Trans>
                Nothing runs by itself yet: the timer is not installed. Install it in a terminal with{" "}
                <code className="font-mono">vitrine saved timer install</code>
              </Trans>
            </span>
          </p>
        )}
        {status === "loading" && (
          <div className="mt-6 flex flex-col gap-2" aria-busy="true">
            {[1, 2, 3].map((n) => (
              <Skeleton key={n} className="h-20 rounded-lg" />
            ))}
          </div>
        )}
        {status === "failed" && error && (
          <div className="mt-6">
            <ErrorNote error={error} again={() => void loadWatches()} />
          </div>
        )}
        {status === "ready" && list.length === 0 && (
          <Empty
            icon={<Eye size={20} />}
            title={t`No watched answers yet`}
            action={
              saved.length === 0 && (
                <Button onClick={onSaved}>
                  <Trans>Saved questions</Trans>
                </Button>
              )
            }
          >
            <Trans>
              A watched answer runs every hour, day or week and is reported when it changes or a number crosses a
              limit. Save a question first.
            </Trans>
          </Empty>
        )}
        <ul className="mt-3 flex flex-col">
          {list.map((answer) => (
            <Entry
              key={answer.watch.savedId}
              answer={answer}
              question={saved.find(({ id }) => id === answer.watch.savedId)}
              warehouse={warehouseTitle(answer.warehouse)}
              onOpen={() => onOpen(answer.watch.savedId)}
            />
          ))}
        </ul>
      </div>
    </div>
  );
}

const NONE: WatchRun[] = [];

function Entry({
  answer,
  question,
  warehouse,
  onOpen,
}: {
  answer: WatchedAnswer;
  question: SavedQuestion | undefined;
  warehouse: string;
  onOpen: () => void;
}) {
  const { title, watch, nextDue, lastRun } = answer;
  const runs = useWatches((s) => s.runs[watch.savedId] ?? NONE);
  const { entry, leave, finalFocus } = useFocusNeighbour();
  const change = lastChange(runs);
  const most = RUNS;
  // Shown once: the last run may report it already.
  const error = lastRun?.notes.includes(watch.state.error ?? "") ? null : watch.state.error;
  return (
    <li ref={entry} className="border-line border-b py-3.5 last:border-b-0">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <button
            type="button"
            onClick={onOpen}
            className="wrap-anywhere rounded-sm text-left font-medium hover:underline"
          >
            {title}
          </button>
          <p className="wrap-anywhere text-fg-2 text-sm">
            {planInWords(watch.plan)}
            <span className="text-fg-3"> · {warehouse}</span>
          </p>
          <dl className="nums mt-1.5 grid gap-x-4 gap-y-0.5 text-sm sm:grid-cols-[7rem_minmax(0,1fr)]">
            <Part name={t`Last run`}>{lastRun ? <RunLine run={lastRun} /> : t`Only when it was set up`}</Part>
            <Part name={t`Next run`}>{nextRun(nextDue)}</Part>
            <Part name={t`Last change`}>
              {change
                ? `${whenOf(change.startedAt)}: ${notesOf(change)}`
                : runs.length < most
                  ? t`None since it is watched`
                  : t`None in the last ${most} runs`}
            </Part>
            {watch.state.value !== null && <Part name={t`Number`}>{watch.state.value}</Part>}
          </dl>
          {error && (
            <p className="wrap-anywhere mt-1.5 flex gap-2 rounded-md bg-bad-soft px-3 py-1.5 text-sm">
              <TriangleAlert size={14} className="mt-0.5 shrink-0 text-bad" aria-hidden />
              <span className="min-w-0">{error}</span>
            </p>
          )}
        </div>
        <MoreMenu label={t`More for ${title}`} removes finalFocus={finalFocus}>
          {question && (
            <MenuItem icon={<Pencil size={14} />} onSelect={() => startWatching(question)}>
              <Trans>Change the plan…</Trans>
            </MenuItem>
          )}
          <MenuItem
            icon={<EyeOff size={14} />}
            onSelect={() => {
              leave();
              void stopWatching(answer);
            }}
          >
            <Trans>Stop watching</Trans>
          </MenuItem>
        </MoreMenu>
      </div>
      {runs.length > 0 && (
        <Disclosure title={plural(runs.length, { one: "# run", other: "# runs" })} className="mt-1.5">
          <ul className="flex flex-col gap-1 pl-5 text-sm">
            {runs.map((run) => (
              <li key={`${run.dueAt} ${run.startedAt}`} className="nums">
                <RunLine run={run} whole />
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </li>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className="wrap-anywhere min-w-0 text-fg-2">{children}</dd>
    </>
  );
}

/** When a run began and what it found; `whole` also says what it took. */
function RunLine({ run, whole }: { run: WatchRun; whole?: boolean }) {
  const { startedAt, outcome, notes, wallMs, rows, file } = run;
  const took = [
    rows === null ? "" : plural(rows, { one: "# row", other: "# rows" }),
    duration(wallMs),
    run.bytes === null ? "" : bytes(run.bytes),
    file === null ? "" : fileName(file),
  ].filter(Boolean);
  return (
    <span className="inline-flex max-w-full items-start gap-1.5">
      <span className="mt-0.5">
        <StatusIcon status={OUTCOME_STATUS[outcome]} size={13} />
      </span>
      <span className="wrap-anywhere min-w-0">
        {whenOf(startedAt)}: {OUTCOMES[outcome]}
        {notes.length > 0 && <span className="text-fg-2"> · {notes.join(" · ")}</span>}
        {whole && <span className="text-fg-3"> · {took.join(", ")}</span>}
      </span>
    </span>
  );
}

const whenOf = (iso: string) => `${calendarDay(iso)}, ${timeOfDay(iso)}`;

const notesOf = ({ notes, outcome }: WatchRun) => (notes.length > 0 ? notes.join(" · ") : OUTCOMES[outcome]);

function nextRun(iso: string): string {
  return Date.parse(iso) <= Date.now() ? t`Due now` : whenOf(iso);
}

/** Watches a saved question, or changes its plan. */
export function WatchButton({ question }: { question: SavedQuestion }) {
  const watched = useWatches((s) => s.list.some(({ watch }) => watch.savedId === question.id));
  useEffect(() => void loadWatches(), []);
  // Only a query can run by itself.
  if (question.code !== null) return null;
  return (
    <Button size="sm" icon={<Eye size={13} />} onClick={() => startWatching(question)}>
      {watched ? t`Watched…` : t`Watch…`}
    </Button>
  );
}
