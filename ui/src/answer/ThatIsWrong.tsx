import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  BookA,
  Code,
  GitBranch,
  ListFilter,
  type LucideIcon,
  Pencil,
  RefreshCw,
  Shuffle,
  Waypoints,
  X,
} from "lucide-react";
import { useRef, useState } from "react";
import { focusFollowUp } from "../ask/FollowUp";
import { followUpOf, setFollowUp } from "../features/ask/followUps";
import type { RunModel } from "../features/graph/model/model";
import { Button, IconButton } from "../kit/button";
import { cx } from "../kit/cx";
import { Textarea } from "../kit/field";
import { lazyRecord } from "../kit/lazyRecord";
import { TextButton } from "../kit/textButton";
import { navigate } from "../navigation/route";
import { useUi } from "../navigation/uiState";
import { askAgain } from "../run/startRun";
import { showPart } from "./pageParts";
import { type Help, type Wrong, whatHelps } from "./whatHelps";

const WRONG: Record<Wrong, string> = lazyRecord({
  number: () => t`A number`,
  rows: () => t`The rows`,
  meaning: () => t`The meaning of a word`,
  other: () => t`Something else`,
});

const HELP_ICONS: Record<Help, LucideIcon> = {
  steps: Waypoints,
  conditions: ListFilter,
  results: Shuffle,
  notes: GitBranch,
  sql: Code,
  definition: BookA,
  question: Pencil,
  again: RefreshCw,
};

const HELPS: Record<Help, () => string> = {
  steps: () => t`Check how it was computed, step by step`,
  conditions: () => t`Remove or change a condition`,
  results: () => t`See the other possible answers`,
  notes: () => t`See what Vitrine changed and what it noticed`,
  sql: () => t`Edit the SQL`,
  definition: () => t`Define the word for this database`,
  question: () => t`Edit the question`,
  again: () => t`Start over`,
};

/** Asks what is wrong with an answer and leads to what helps; a remark becomes a follow-up. */
export function ThatIsWrong({
  run,
  editable,
  onSql,
  onStep,
}: {
  run: RunModel;
  /** True if a condition can be removed or changed. */
  editable: boolean;
  onSql: () => void;
  onStep: (step: string | null) => void;
}) {
  const [open, setOpen] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [remark, setRemark] = useState("");
  const opener = useRef<HTMLSpanElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.querySelector("button")?.focus();
  };
  const act: Record<Help, () => void> = {
    steps: () => onStep(null),
    conditions: () => showPart("understood"),
    results: () => showPart("results"),
    notes: () => showPart("notes"),
    sql: onSql,
    definition: () => navigate({ page: "connections", uri: run.warehouse }),
    question: () => useUi.setState({ editing: run.runId }),
    again: () => void askAgain(run.question, run.warehouse, run.knowledge, run.follows),
  };
  const followUp = () => {
    const typed = followUpOf(run.runId);
    const text = [typed.question ?? typed.text, remark.trim()].filter((part) => part.trim() !== "").join(" ");
    setFollowUp(run.runId, { text, question: null });
    setRemark("");
    setOpen(false);
    focusFollowUp();
  };
  return (
    <div className="mt-2 text-sm">
      <span ref={opener} data-wrong>
        <TextButton pressed={open} onClick={() => setOpen(!open)}>
          <Trans>That is wrong</Trans>
        </TextButton>
      </span>
      {open && (
        <section
          aria-label={t`What is wrong?`}
          className="mt-2 max-w-160 rounded-lg border border-line bg-raised p-3"
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            event.preventDefault();
            event.stopPropagation();
            close();
          }}
        >
          <div className="flex items-start justify-between gap-2">
            <h3 className="font-medium">
              <Trans>What is wrong?</Trans>
            </h3>
            <IconButton size="sm" label={t`Close`} onClick={close}>
              <X size={14} />
            </IconButton>
          </div>
          <div className="mt-1.5 flex flex-wrap gap-1.5">
            {(Object.keys(WRONG) as Wrong[]).map((kind) => (
              <button
                key={kind}
                type="button"
                data-wrong-kind={kind}
                aria-pressed={kind === wrong}
                onClick={() => setWrong(kind)}
                className={cx(
                  "h-7 rounded-md border px-2.5",
                  kind === wrong
                    ? "border-accent bg-accent-soft font-medium"
                    : "border-line-strong bg-raised hover:bg-hover",
                )}
              >
                {WRONG[kind]}
              </button>
            ))}
          </div>
          {wrong && (
            <>
              <ul aria-label={t`What helps`} className="mt-3 flex flex-col items-start gap-px">
                {whatHelps(wrong, run, editable).map((help) => {
                  const Icon = HELP_ICONS[help];
                  return (
                    <li key={help}>
                      <button
                        type="button"
                        onClick={act[help]}
                        className="-ml-1.5 flex items-center gap-2 rounded-md px-1.5 py-1 text-left hover:bg-hover"
                      >
                        <Icon size={14} className="shrink-0 text-fg-3" aria-hidden />
                        {HELPS[help]()}
                      </button>
                    </li>
                  );
                })}
              </ul>
              <form
                className="mt-3 flex flex-col items-start gap-2 border-line border-t pt-3"
                onSubmit={(event) => {
                  event.preventDefault();
                  if (remark.trim() !== "") followUp();
                }}
              >
                <Textarea
                  aria-label={t`What should be different`}
                  rows={2}
                  maxLength={1000}
                  value={remark}
                  placeholder={t`Say what should be different, such as “without returns”`}
                  onChange={(event) => setRemark(event.target.value)}
                />
                <Button type="submit" size="sm" disabled={remark.trim() === ""}>
                  <Trans>Use as follow-up question</Trans>
                </Button>
              </form>
            </>
          )}
        </section>
      )}
    </div>
  );
}
