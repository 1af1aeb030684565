import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { cx } from "../../../kit/cx";
import { compact, duration } from "../../../kit/format";
import { StatusIcon } from "../../../kit/status";
import { activeCall, type RunModel } from "../model/model";
import { type StageLine, stageLines } from "../model/stages";

/** The stages as they happen, one plain line each; the one at work shows what the model writes on demand. */
export function StageList({
  run,
  elapsedMs,
  onOpen,
}: {
  run: RunModel;
  elapsedMs: number;
  onOpen: (id: string) => void;
}) {
  const lines = stageLines(run);
  return (
    <ol aria-label={t`Stages`} className="flex flex-col">
      {lines.map((line) => (
        <Line key={line.key} line={line} run={run} elapsedMs={elapsedMs} onOpen={onOpen} />
      ))}
    </ol>
  );
}

function Line({
  line,
  run,
  elapsedMs,
  onOpen,
}: {
  line: StageLine;
  run: RunModel;
  elapsedMs: number;
  onOpen: (id: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const active = line.status === "running" ? activeCall(run) : null;
  const first = line.stages.at(-1);
  const ms = line.startMs === null ? null : (line.endMs ?? elapsedMs) - line.startMs;
  return (
    <li className="border-line border-b last:border-b-0">
      <div className="flex min-h-10 items-start gap-3 px-1 py-2.5">
        <span className="flex h-5 items-center">
          <StatusIcon status={line.status} size={16} />
        </span>
        {first ? (
          <button
            type="button"
            onClick={() => onOpen(first.id)}
            className={cx(
              "shrink-0 rounded-sm hover:underline",
              line.status === "running" ? "font-medium" : "text-fg",
            )}
          >
            {line.label}
          </button>
        ) : (
          <span className="shrink-0 text-fg-3">{line.label}</span>
        )}
        <span className="wrap-anywhere line-clamp-3 min-w-0 flex-1 pt-px text-fg-3 text-sm" title={line.detail}>
          {line.detail}
        </span>
        {active && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex shrink-0 items-center gap-0.5 rounded-sm pt-px text-fg-3 text-sm hover:text-fg"
          >
            <ChevronRight size={13} className={cx("transition-transform", open && "rotate-90")} aria-hidden />
            {active.call.text === "" ? t`Reading the prompt` : t`Writing`}
          </button>
        )}
        {line.tokens > 0 && (
          <span className="nums shrink-0 pt-px text-fg-3 text-sm">
            <Trans>{compact(line.tokens)} tokens</Trans>
          </span>
        )}
        <span className="nums w-20 shrink-0 whitespace-nowrap pt-px text-right text-fg-3 text-sm">
          {ms !== null && line.status !== "waiting" ? duration(Math.max(0, ms)) : ""}
        </span>
      </div>
      {active && open && <LiveText text={active.call.text} />}
    </li>
  );
}

/** The current reply while it is written; follows the end. */
function LiveText({ text }: { text: string }) {
  const end = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text moves the view to its end
  useEffect(() => {
    end.current?.scrollTo({ top: end.current.scrollHeight });
  }, [text]);
  return (
    <pre
      ref={end}
      className="wrap-anywhere mb-3 ml-8 max-h-44 overflow-auto whitespace-pre-wrap rounded-md bg-sunk px-3 py-2 font-mono text-fg-2 text-xs leading-[1.6]"
    >
      {text.slice(-8000)}
      <span aria-hidden className="pulse ml-px inline-block h-3.5 w-1.5 translate-y-0.5 bg-accent" />
    </pre>
  );
}
