import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  ChevronDown,
  CornerDownRight,
  Download,
  EllipsisVertical,
  GitBranch,
  ListFilter,
  ListTree,
  Pencil,
  Pin,
  PinOff,
  SquareArrowOutUpRight,
  Trash2,
} from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { CertaintyIcon, certaintyLabel } from "../../domain/certainty";
import { changeInWords } from "../../domain/changeText";
import type { RunSummary } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { SearchInput } from "../../kit/field";
import { clipText, joinClauses, timeOfDay } from "../../kit/format";
import { Menu, MenuItem, MenuSwitch } from "../../kit/menu";
import { Skeleton, type Status, StatusDot, StatusIcon } from "../../kit/status";
import { byDay } from "./groups";
import { waitsForUser } from "./log";
import { deleteRun, exportRun, loadMoreRuns, loadRuns, pinRun, showRunsOf, startRenaming, useRuns } from "./state";
import { groupThreads, openMembers, type Thread } from "./threads";

const STATUS: Record<RunSummary["status"], Status> = {
  running: "running",
  answered: "done",
  failed: "failed",
  cancelled: "cancelled",
};

/** Keys that move between the questions, and by how many. */
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/** Moves the focus from the search field into the list, through it, and back; from the field's end also to the filter. */
function moveFocus(event: React.KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key];
  const target = event.target as HTMLElement;
  const field = event.currentTarget.querySelector("input");
  const filter = event.currentTarget.querySelector<HTMLElement>("[data-filter]");
  if (target === field && event.key === "ArrowRight" && field.selectionStart === field.value.length) {
    event.preventDefault();
    filter?.focus();
    return;
  }
  if (target === filter && event.key === "ArrowLeft") {
    event.preventDefault();
    field?.focus();
    return;
  }
  if (step === undefined || event.defaultPrevented || (target === field && event.key !== "ArrowDown")) return;
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-run]")];
  const at = entries.indexOf(target);
  if (at === -1 && target !== field) return;
  event.preventDefault();
  const next = at === 0 && step === -1 ? field : entries[Math.max(0, Math.min(entries.length - 1, at + step))];
  next?.focus();
}

/** Earlier questions by day, with a search. One tab stop: the arrow keys lead from the field to the questions. */
export function HistoryList({
  current,
  warehouses,
  onOpen,
  onWindow,
}: {
  current: string | null;
  /** The data that the list can be narrowed to. */
  warehouses: { uri: string; title: string }[];
  onOpen: (runId: string) => void;
  /** Opens a question in another window. */
  onWindow: (runId: string) => void;
}) {
  const { list, hidden, status, search, warehouse, error, more, logs } = useRuns();
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    if (typed === useRuns.getState().search) return;
    const timer = setTimeout(() => void loadRuns(typed), 180);
    return () => clearTimeout(timer);
  }, [typed]);
  const waits = (run: RunSummary) => run.status === "running" && waitsForUser(logs[run.runId]?.events ?? []);
  const shown = useMemo(() => list.filter((r) => !hidden.includes(r.runId)), [list, hidden]);
  // What a search finds is never hidden in a thread.
  const threads = useMemo(
    () => (search === "" ? groupThreads(shown) : shown.map((newest) => ({ newest, older: [], whole: true }))),
    [shown, search],
  );
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element || more !== "there") return;
    const watch = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && void loadMoreRuns());
    watch.observe(element);
    return () => watch.disconnect();
  }, [more]);
  return (
    <section aria-label={t`History`} className="flex min-h-0 flex-1 flex-col low:flex-none" onKeyDown={moveFocus}>
      <div className="mx-3 mb-2 flex items-center gap-1">
        <SearchInput
          value={typed}
          onChange={setTyped}
          placeholder={t`Search history`}
          aria-describedby="history-keys"
          className="min-w-0 flex-1"
        />
        <DataFilter chosen={warehouse} warehouses={warehouses} />
      </div>
      <p id="history-keys" hidden>
        <Trans>
          Press the down arrow key to reach the questions, the right arrow key to reach the filter by data. On a
          question, the right arrow key opens its menu.
        </Trans>
      </p>
      {/* No stop of its own: the arrow keys scroll it from the field above. */}
      <div tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto px-2 pb-3 low:overflow-visible">
        {status === "loading" && (
          <div className="flex flex-col gap-2 px-2 pt-2">
            {[70, 90, 60, 80].map((w) => (
              <Skeleton key={w} className="h-4" />
            ))}
          </div>
        )}
        {status === "failed" && (
          <div className="px-2 pt-2 text-fg-3 text-sm">
            {error?.message}{" "}
            <button type="button" className="text-accent hover:underline" onClick={() => void loadRuns()}>
              <Trans>Try again</Trans>
            </button>
          </div>
        )}
        {status === "ready" && shown.length === 0 && (
          <p className="px-2 pt-1 text-fg-3 text-sm">
            {search === "" && warehouse === null ? t`Your questions appear here.` : t`No matching questions.`}
          </p>
        )}
        {byDay(threads, new Date()).map((group) => (
          <div key={group.day} className="mb-2">
            <h3 className="px-2 pt-1 pb-1 font-medium text-fg-3 text-xs">{group.day}</h3>
            {group.threads.map((thread) => (
              <ThreadEntries
                key={thread.newest.runId}
                thread={thread}
                current={current}
                waits={waits}
                onOpen={onOpen}
                onWindow={onWindow}
              />
            ))}
          </div>
        ))}
        {more === "failed" && (
          <p role="status" className="px-2 pt-1 text-fg-3 text-sm">
            <Trans>Older questions could not be loaded.</Trans>{" "}
            <button type="button" className="text-accent hover:underline" onClick={() => void loadMoreRuns()}>
              <Trans>Try again</Trans>
            </button>
          </p>
        )}
        <div ref={end} />
      </div>
    </section>
  );
}

/** Narrows the list to one warehouse. */
function DataFilter({ chosen, warehouses }: { chosen: string | null; warehouses: { uri: string; title: string }[] }) {
  const of = warehouses.find(({ uri }) => uri === chosen)?.title;
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          data-filter
          tabIndex={-1}
          aria-label={of ? t`Filter by data: ${of}` : t`Filter by data`}
          className={cx(
            "flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-hover hover:text-fg data-popup-open:bg-hover",
            chosen === null ? "text-fg-3" : "bg-accent-soft text-accent",
          )}
        >
          <ListFilter size={14} />
        </button>
      }
    >
      <MenuSwitch checked={chosen === null} onChange={() => void showRunsOf(null)}>
        <Trans>All data</Trans>
      </MenuSwitch>
      {warehouses.map(({ uri, title }) => (
        <MenuSwitch key={uri} checked={chosen === uri} onChange={(on) => void showRunsOf(on ? uri : null)}>
          {title}
        </MenuSwitch>
      ))}
    </Menu>
  );
}

/** A question; with its follow-ups, the newest of them and the others on demand. */
function ThreadEntries({
  thread,
  current,
  waits,
  onOpen,
  onWindow,
}: {
  thread: Thread;
  current: string | null;
  waits: (run: RunSummary) => boolean;
  onOpen: (runId: string) => void;
  onWindow: (runId: string) => void;
}) {
  const { newest, older, whole } = thread;
  const [chosen, setOpen] = useState<boolean | null>(null);
  // The question on the page is always in the list.
  const open = chosen ?? older.some(({ runId }) => runId === current);
  const size = older.length + 1;
  const questions = whole
    ? plural(size, { one: "# question", other: "# questions" })
    : plural(size, { one: "# question or more", other: "# questions or more" });
  const entry = (run: RunSummary) => ({ run, waits: waits(run), current: run.runId === current, onOpen, onWindow });
  const members = open ? older : openMembers(thread);
  return (
    <>
      <Entry
        {...entry(newest)}
        thread={older.length > 0 ? questions : undefined}
        open={open}
        onThread={older.length > 0 ? setOpen : undefined}
      />
      {members.length > 0 && (
        <div className="ml-3 border-line border-l pl-1">
          {members.map((run) => (
            <Entry key={run.runId} {...entry(run)} />
          ))}
        </div>
      )}
    </>
  );
}

/** Drawn anew only where something of it changes: the list is there on every page, and a run at work changes many times a second. */
const Entry = memo(function Entry({
  run,
  waits,
  current,
  thread,
  open = false,
  onThread,
  onOpen,
  onWindow,
}: {
  run: RunSummary;
  /** Waits for the user's choice. */
  waits: boolean;
  current: boolean;
  /** The size of its thread, in words, if it is the newest question of one. */
  thread?: string;
  /** The other questions of its thread are shown. */
  open?: boolean;
  onThread?: (open: boolean) => void;
  onOpen: (runId: string) => void;
  /** Opens a question in another window. */
  onWindow: (runId: string) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [menu, setMenu] = useState(false);
  /** Has the focus once this one is deleted. */
  const beside = useRef<HTMLElement | null>(null);
  const remove = () => {
    const section = button.current?.closest("section");
    const entries = [...(section?.querySelectorAll<HTMLElement>("[data-run]") ?? [])];
    const at = entries.indexOf(button.current!);
    beside.current = entries[at + 1] ?? entries[at - 1] ?? section?.querySelector("input") ?? null;
    deleteRun(run.runId);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the secondary mouse button opens the menu, as a key does
    <div
      onContextMenu={(event) => {
        event.preventDefault();
        setMenu(true);
      }}
      className={cx(
        "group relative flex items-center rounded-md",
        current ? "bg-active" : "hover:bg-hover focus-within:bg-hover",
      )}
    >
      <button
        ref={button}
        type="button"
        data-run={run.runId}
        tabIndex={-1}
        aria-current={current ? "page" : undefined}
        aria-keyshortcuts="Shift+F10"
        onKeyDown={(event) => {
          const opens =
            event.key === "ArrowRight" || event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
          if (!opens) return;
          event.preventDefault();
          setMenu(true);
        }}
        title={`${clipText(run.question, 400)}\n${timeOfDay(run.startedAt)}${run.certainty ? `\n${certaintyLabel(run.certainty)}` : ""}${run.error ? `\n${run.error}` : ""}`}
        onClick={() => onOpen(run.runId)}
        className="flex min-w-0 flex-1 items-start gap-2.5 rounded-md py-1.5 pr-2 pl-2 text-left outline-offset-[-2px]"
      >
        <span className="min-w-0 flex-1 text-sm leading-4.5">
          <span className="wrap-anywhere line-clamp-2">
            {run.steeredFrom && (
              <GitBranch
                size={12}
                className="mr-1 inline align-[-1px] text-fg-3"
                role="img"
                aria-label={t`Changed from an earlier run`}
              />
            )}
            {run.follows && !run.steeredFrom && (
              <CornerDownRight
                size={12}
                className="mr-1 inline align-[-1px] text-fg-3"
                role="img"
                aria-label={t`Follow-up of an earlier question`}
              />
            )}
            {clipText(run.title ?? run.question, 160)}
          </span>
          {run.changes.length > 0 && (
            <span className="block truncate pl-4 text-fg-3 text-xs">
              <Trans>Changed: {clipText(joinClauses(run.changes.map(changeInWords)), 160)}</Trans>
            </span>
          )}
          {waits && (
            <span className="mt-0.5 flex items-center gap-2 pl-1 font-medium text-warn text-xs">
              <Trans>
                <span aria-hidden className="inline-flex">
                  <StatusDot status="needsYou" />
                </span>
                Waiting for you
              </Trans>
            </span>
          )}
          {thread && <span className="nums block truncate pl-4 text-fg-3 text-xs">{thread}</span>}
        </span>
        <span className="flex h-4.5 shrink-0 items-center">
          {run.status === "answered" && run.certainty && <CertaintyIcon level={run.certainty} size={13} spoken />}
          {run.status !== "answered" && !waits && <StatusIcon status={STATUS[run.status]} size={13} />}
        </span>
      </button>
      {onThread && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t`All questions of this thread`}
          aria-expanded={open}
          onClick={() => onThread(!open)}
          className="mr-1 flex size-5.5 shrink-0 items-center justify-center rounded-sm text-fg-3 hover:bg-active hover:text-fg"
        >
          <ChevronDown size={14} className={cx("transition-transform", open && "rotate-180")} aria-hidden />
        </button>
      )}
      <Menu
        align="end"
        open={menu}
        onOpen={setMenu}
        finalFocus={() => beside.current ?? button.current}
        trigger={
          <button
            type="button"
            tabIndex={-1}
            aria-label={t`More`}
            className="mr-1 hidden size-5.5 shrink-0 items-center justify-center rounded-sm text-fg-3 hover:bg-active hover:text-fg focus-visible:flex group-focus-within:flex group-hover:flex data-popup-open:flex"
          >
            <EllipsisVertical size={14} />
          </button>
        }
      >
        {onThread && (
          <MenuItem icon={<ListTree size={14} />} onSelect={() => onThread(!open)}>
            {open ? t`Hide the other questions of this thread` : t`Show all questions of this thread`}
          </MenuItem>
        )}
        <MenuItem icon={<SquareArrowOutUpRight size={14} />} onSelect={() => onWindow(run.runId)}>
          <Trans>Open in new window</Trans>
        </MenuItem>
        <MenuItem icon={<Pencil size={14} />} onSelect={() => startRenaming(run)}>
          <Trans>Rename</Trans>
        </MenuItem>
        <MenuItem
          icon={run.pinned ? <PinOff size={14} /> : <Pin size={14} />}
          onSelect={() => void pinRun(run.runId, !run.pinned)}
        >
          {run.pinned ? t`Unpin` : t`Pin`}
        </MenuItem>
        <MenuItem icon={<Download size={14} />} onSelect={() => void exportRun(run.runId)}>
          <Trans>Export as JSON</Trans>
        </MenuItem>
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={remove}>
          <Trans>Delete</Trans>
        </MenuItem>
      </Menu>
    </div>
  );
});
