import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowUp, CornerDownRight } from "lucide-react";
import { useId, useLayoutEffect, useRef } from "react";
import type { Estimate } from "../../host/bindings";
import { Button } from "../../kit/button";
import { cx } from "../../kit/cx";
import { Spinner } from "../../kit/status";
import { EstimateLine } from "./EstimateLine";
import { type MentionedNames, useMentions } from "./useMentions";

/** The text of the box. */
export interface FollowUpDraft {
  /** As typed: "and for 2023?" */
  text: string;
  /** The whole question that it became; null before that. */
  question: string | null;
}

/** A follow-up that is offered, with the whole question that it becomes. */
export interface NextQuestion {
  text: string;
  whole: string;
}

export const NO_FOLLOW_UP: FollowUpDraft = { text: "", question: null };

/**
 * The next question below an answer. Where a follow-up can be completed without a model, the whole question is shown while it
 * is typed, and Enter asks it. Else Enter makes a whole question of it, to be read and edited, and Enter again asks that one.
 * Escape goes back to what was typed, also while the whole question is still being made.
 */
export function FollowUpBox({
  draft,
  completed,
  before,
  next,
  busy,
  problem,
  estimate,
  onDraft,
  onRewrite,
  onGiveUp,
  onAsk,
  onNext,
  ...named
}: MentionedNames & {
  draft: FollowUpDraft;
  /** The whole question that the typed text completes without a model; null where there is none. */
  completed: string | null;
  /** The question that is followed up on. */
  before: string;
  /** Follow-ups that a click asks. */
  next: NextQuestion[];
  /** The question is being rewritten. */
  busy: boolean;
  /** Why it could not be rewritten. */
  problem: string | null;
  /** The estimated cost of the question, if known. */
  estimate: Estimate | null;
  onDraft: (draft: FollowUpDraft) => void;
  onRewrite: () => void;
  /** Called when the user stops waiting for the complete question. */
  onGiveUp: () => void;
  /** Asks the complete question, or the typed text as is. */
  onAsk: (text: string) => void;
  onNext: (next: NextQuestion) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const completedId = useId();
  const { text, question } = draft;
  const shown = question ?? text;
  const ready = shown.trim() !== "" && !busy;

  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${shown.length > 20_000 ? 120 : Math.min(element.scrollHeight, 120)}px`;
  }, [shown]);

  const onText = (next: string) => onDraft(question === null ? { text: next, question } : { text, question: next });
  const mentions = useMentions({ ...named, area, text: shown, onText, above: true });
  const send = () => {
    if (!ready) return;
    const whole = question ?? completed;
    if (whole === null) onRewrite();
    else onAsk(whole);
  };
  return (
    <section aria-label={t`Next question`}>
      {question !== null && (
        <p role="status" className="mb-1.5 flex items-baseline gap-2 px-1 text-fg-2 text-sm">
          <span className="min-w-0 truncate">
            <Trans>“{text}” as a complete question. Edit it if it is not what you mean.</Trans>
          </span>
          <Button
            size="sm"
            variant="quiet"
            className="-my-1 shrink-0"
            onClick={() => onDraft({ text, question: null })}
          >
            <Trans>Back</Trans>
          </Button>
        </p>
      )}
      {busy && (
        <p role="status" className="mb-1.5 flex items-center gap-2 px-1 text-fg-2 text-sm">
          <Spinner size={13} />
          <span className="min-w-0 truncate">
            <Trans>Completing your question</Trans>
          </span>
          <Button size="sm" variant="quiet" className="-my-1" onClick={() => onAsk(text)}>
            <Trans>Ask as typed</Trans>
          </Button>
          <Button size="sm" variant="quiet" className="-my-1" onClick={onGiveUp}>
            <Trans>Cancel</Trans>
          </Button>
        </p>
      )}
      {next.length > 0 && shown === "" && !busy && (
        // biome-ignore lint/a11y/useSemanticElements: these are no fields of a form
        <div role="group" aria-label={t`Suggested next questions`} className="mb-1.5 flex flex-wrap gap-1.5">
          {next.map((one) => (
            <button
              key={one.whole}
              type="button"
              title={one.whole}
              onClick={() => onNext(one)}
              className="h-6.5 max-w-full truncate rounded-full border border-line-strong bg-raised px-2.5 text-fg-2 text-sm hover:border-fg-3 hover:text-fg"
            >
              {one.text}
            </button>
          ))}
        </div>
      )}
      <div
        className={cx(
          "relative flex items-end gap-2 rounded-xl border border-edge bg-raised py-1.5 pr-1.5 pl-3.5 shadow-card transition-[border-color,box-shadow]",
          "focus-within:border-accent focus-within:ring-3 focus-within:ring-accent/15",
        )}
      >
        <CornerDownRight size={15} className="mb-2 shrink-0 text-fg-3" aria-hidden />
        <textarea
          ref={area}
          data-follow-up
          rows={1}
          value={shown}
          readOnly={busy}
          aria-label={question === null ? t`Follow-up` : t`Complete question`}
          placeholder={t`Ask a follow-up: “and for 2023?”, “only Spain”`}
          aria-describedby={completed === null ? undefined : completedId}
          {...mentions.aria}
          onChange={(e) => mentions.onType(e.target.value, e.target.selectionStart)}
          onBlur={mentions.close}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || mentions.onKey(event)) return;
            if (event.key === "Enter" && !event.shiftKey) {
              event.preventDefault();
              send();
            } else if (event.key === "Escape" && (busy || question !== null)) {
              event.preventDefault();
              event.stopPropagation();
              if (busy) onGiveUp();
              else onDraft({ text, question: null });
            }
          }}
          className="my-1 block min-w-0 flex-1 resize-none bg-transparent outline-none"
        />
        {mentions.list}
        <button
          type="button"
          aria-label={question === null && completed === null ? t`Continue` : t`Ask this`}
          disabled={!ready}
          onClick={send}
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg bg-accent text-accent-fg transition-colors hover:bg-accent-hover disabled:bg-active disabled:text-fg-3"
        >
          <ArrowUp size={17} aria-hidden />
        </button>
      </div>
      {completed !== null && question === null && !busy && (
        <p role="status" className="mt-1.5 flex items-baseline gap-2 px-1 text-fg-2 text-sm">
          <span id={completedId} className="wrap-anywhere min-w-0">
            <Trans>
              Press Enter to ask: <b className="font-medium text-fg">{completed}</b>
            </Trans>
          </span>
          <Button
            size="sm"
            variant="quiet"
            className="-my-1 shrink-0"
            onClick={() => {
              onDraft({ text, question: completed });
              area.current?.focus();
            }}
          >
            <Trans>Edit</Trans>
          </Button>
        </p>
      )}
      {estimate?.refused && !problem && (
        <p role="status" className="wrap-anywhere mt-1.5 px-1 text-sm text-warn">
          {estimate.refused}
        </p>
      )}
      {estimate && (
        <div className="mt-1 flex px-1">
          <EstimateLine estimate={estimate} />
        </div>
      )}
      {problem && (
        <p role="alert" className="mt-1.5 flex flex-wrap items-baseline gap-x-3 px-1 text-sm text-warn">
          <span className="wrap-anywhere min-w-0">{problem}</span>
          <Button
            size="sm"
            variant="quiet"
            className="-my-1"
            onClick={() => {
              onDraft({ text, question: before });
              area.current?.focus();
            }}
          >
            <Trans>Edit the previous question</Trans>
          </Button>
          <Button size="sm" variant="quiet" className="-my-1" onClick={() => onAsk(text)}>
            <Trans>Ask as typed</Trans>
          </Button>
        </p>
      )}
    </section>
  );
}
