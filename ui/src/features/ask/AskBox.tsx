import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowUp, BookOpen, Square } from "lucide-react";
import { type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { useEverydayChoices } from "../../domain/methods";
import type { Definitions, Estimate, MethodName, ModelId } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { Textarea } from "../../kit/field";
import { useFocusAfterRemoval } from "../../kit/focusNeighbour";
import { isMod } from "../../kit/keyNames";
import { type Choice, Select } from "../../kit/select";
import { TextButton } from "../../kit/textButton";
import { Hint } from "../../kit/tooltip";
import { DefinitionList } from "./DefinitionList";
import { EstimateLine } from "./EstimateLine";
import { questionProblem, recallIndex } from "./settings";
import { chosenMethod, setAsk, showEarlier, useAsk } from "./state";
import { type MentionedNames, useMentions } from "./useMentions";

export interface AskBoxHandle {
  focus(): void;
}

/**
 * The question box: Enter asks, Shift+Enter inserts a line break, ArrowUp recalls earlier questions, `@` lists tables and
 * columns.
 */
export function AskBox({
  defaultStrategy,
  models,
  history,
  running,
  disabled,
  estimate,
  catalog = null,
  namesAway = null,
  compact,
  onKeep = null,
  known = null,
  onEditKnown,
  onAsk,
  onStop,
  ref,
}: Partial<MentionedNames> & {
  defaultStrategy: MethodName;
  models: Choice<ModelId>[];
  history: string[];
  running: boolean;
  disabled: string | null;
  /** The estimated cost of the question, if known. */
  estimate: Estimate | null;
  /** On top of an answer instead of alone on the page. */
  compact?: boolean;
  /** Keeps the definitions for every question of the database; null while none is open. */
  onKeep?: (() => void) | null;
  /** The definitions of the database; null until they are loaded. */
  known?: Definitions | null;
  onEditKnown?: () => void;
  onAsk: () => void;
  onStop: () => void;
  ref?: Ref<AskBoxHandle>;
}) {
  const state = useAsk();
  const { text, knowledge, knowledgeOpen } = state;
  const { strategy, model } = chosenMethod(state);
  const methods = useEverydayChoices();
  const area = useRef<HTMLTextAreaElement>(null);
  const [at, setAt] = useState(-1);
  const unsent = useRef("");
  const mentions = useMentions({ area, text, onText: (next) => setAsk({ text: next }), catalog, namesAway });
  const problem = questionProblem(text) ?? questionProblem(knowledge);
  const ready = text.trim() !== "" && !problem && !disabled;

  useImperativeHandle(ref, () => ({
    focus: () => {
      area.current?.focus();
      area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
    },
  }));

  // As high as its text, up to a limit; measured on a short text only.
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    const most = compact ? 132 : 240;
    element.style.height = `${text.length > 20_000 ? most : Math.min(element.scrollHeight, most)}px`;
  }, [text, compact]);

  const bring = (step: 1 | -1) => {
    const next = recallIndex(history, at, step);
    if (next === at) return;
    if (at === -1) unsent.current = text;
    setAt(next);
    showEarlier(next === -1 ? unsent.current : history[next]!);
  };

  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter takes its suggestion.
    if (event.nativeEvent.isComposing || mentions.onKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (ready && !running) {
        setAt(-1);
        onAsk();
      }
      return;
    }
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    if (event.key === "ArrowUp" && selectionStart === 0 && selectionEnd === 0 && !isMod(event)) {
      if (history.length > 0) event.preventDefault();
      bring(1);
    } else if (event.key === "ArrowDown" && at >= 0 && selectionStart === value.length) {
      event.preventDefault();
      bring(-1);
    }
  };

  return (
    <>
      <div
        className={cx(
          "rounded-xl border border-edge bg-raised shadow-card transition-[border-color,box-shadow]",
          "focus-within:border-accent focus-within:ring-3 focus-within:ring-accent/15",
        )}
      >
        <div className="relative">
          <textarea
            ref={area}
            value={text}
            rows={compact ? 1 : 3}
            data-question=""
            aria-label={t`Question`}
            {...mentions.aria}
            placeholder={t`Ask about your data in plain language`}
            onChange={(e) => {
              setAt(-1);
              mentions.onType(e.target.value, e.target.selectionStart);
            }}
            onBlur={mentions.close}
            onKeyDown={onKeyDown}
            className={cx(
              "block w-full resize-none bg-transparent px-4 outline-none",
              compact ? "pt-2.5 pb-1 text-base" : "pt-3.5 pb-1 text-lg",
            )}
          />
          {mentions.list}
        </div>
        {knowledgeOpen && (
          <div className="px-3 pb-1">
            {known && onEditKnown && <DefinitionList known={known} question={text} onEdit={onEditKnown} />}
            <Textarea
              value={knowledge}
              rows={3}
              aria-label={t`Definitions`}
              placeholder={t`Context the data does not contain: definitions, codes, preferred tables`}
              onChange={(e) => setAsk({ knowledge: e.target.value })}
            />
            {onKeep && knowledge.trim() !== "" && !questionProblem(knowledge) && (
              <p className="mt-1 px-1 text-fg-3 text-sm">
                <Trans>
                  For this question only. <TextButton onClick={onKeep}>Use for every question</TextButton>
                </Trans>
              </p>
            )}
          </div>
        )}
        {(problem ?? disabled) && (
          <p role="alert" className="px-4 pb-1 text-bad text-sm">
            {problem ?? disabled}
          </p>
        )}
        {estimate?.refused && !running && !problem && (
          <p role="status" className="wrap-anywhere px-4 pb-1 text-sm text-warn">
            {estimate.refused}
          </p>
        )}
        <div className={cx("flex items-center gap-0.5 pr-2 pl-2", compact ? "pb-1.5" : "pb-2")}>
          <Select
            quiet
            label={t`Method`}
            value={strategy ?? defaultStrategy}
            choices={methods}
            onChange={(next) => setAsk({ strategy: next === defaultStrategy ? null : next })}
          />
          <div className="min-w-0">
            <Select
              quiet
              label={t`Model`}
              value={models.some((m) => m.value === model) ? (model ?? "") : ""}
              choices={models}
              onChange={(next) => setAsk({ model: next === "" ? null : next })}
            />
          </div>
          <button
            type="button"
            aria-pressed={knowledgeOpen}
            onClick={() => setAsk({ knowledgeOpen: !knowledgeOpen })}
            className={cx(
              "inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm transition-colors hover:bg-hover hover:text-fg",
              knowledgeOpen || knowledge.trim() !== "" ? "text-accent" : "text-fg-2",
            )}
          >
            <BookOpen size={13} aria-hidden />
            <Trans>Definitions</Trans>
          </button>
          <span className="flex min-w-0 flex-1 justify-end pr-2">
            {compact && !running && estimate && <EstimateLine short estimate={estimate} />}
          </span>
          {running ? (
            <Stop onStop={onStop} behind={() => area.current} />
          ) : (
            <Hint label={t`Ask`} keys="enter">
              <button
                type="button"
                aria-label={t`Ask`}
                disabled={!ready}
                onClick={onAsk}
                className="inline-flex size-8 items-center justify-center rounded-lg bg-accent text-accent-fg transition-colors hover:bg-accent-hover disabled:bg-active disabled:text-fg-3"
              >
                <ArrowUp size={17} aria-hidden />
              </button>
            </Hint>
          )}
        </div>
      </div>
      {!compact && <div className="mt-2 flex h-5 px-3">{estimate && <EstimateLine estimate={estimate} />}</div>}
    </>
  );
}

/** Once it is gone, the box has the focus that it had. */
function Stop({ onStop, behind }: { onStop: () => void; behind: () => HTMLElement | null }) {
  return (
    <span ref={useFocusAfterRemoval<HTMLSpanElement>(behind)}>
      <Hint label={t`Stop`} command="stop">
        <button
          type="button"
          // The second click of a double click does not count.
          onClick={(event) => event.detail < 2 && onStop()}
          className="inline-flex h-8 items-center gap-1.5 rounded-lg border border-line-strong bg-raised px-3 font-medium hover:bg-hover"
        >
          <Square size={11} fill="currentColor" aria-hidden />
          <Trans>Stop</Trans>
        </button>
      </Hint>
    </span>
  );
}
