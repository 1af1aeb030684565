import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Pencil, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { AskPanel, AskProblem, useWarm } from "../ask/AskPanel";
import { everydayLabel } from "../domain/methods";
import { placeOfRun } from "../features/ask/drafts";
import { beginWith, useAsk } from "../features/ask/state";
import type { RunModel } from "../features/graph/model/model";
import { usableModels, useSettings } from "../features/settings/state";
import { Button, IconButton } from "../kit/button";
import { clipText } from "../kit/format";
import { useUi } from "../navigation/uiState";
import { StopAsked, StopRun } from "../run/StopRun";

/** A heading holds no more of a question. */
const LONGEST = 2_000;

/** The question of a run as the heading of its page; in the box while it is edited. */
export function RunQuestion({ run, question, running }: { run: RunModel; question: string; running: boolean }) {
  const { runId } = run;
  const editing = useUi((s) => s.editing === runId);
  const edit = useRef<HTMLButtonElement>(null);
  useAskedWith(run);
  useWarm(running ? runId : null);
  // An edit that was begun is there again.
  useLayoutEffect(() => {
    const begun = useAsk.getState().drafts[placeOfRun(runId)] !== undefined;
    useUi.setState({ editing: begun ? runId : null });
    return () => useUi.setState({ editing: null });
  }, [runId]);

  const close = () => {
    flushSync(() => useUi.setState({ editing: null }));
    edit.current?.focus();
  };
  if (editing) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: Escape in the box closes it
      <div
        className="flex items-start gap-1 pb-1"
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.defaultPrevented) return;
          event.preventDefault();
          event.stopPropagation();
          close();
        }}
      >
        <h1 className="sr-only">{clipText(question, LONGEST)}</h1>
        <div className="min-w-0 flex-1">
          <AskPanel compact running={running ? runId : null} />
          <StopAsked runId={runId} running={running} />
        </div>
        <IconButton label={t`Cancel editing`} keys="esc" onClick={close} className="mt-1.5">
          <X size={16} />
        </IconButton>
      </div>
    );
  }
  return (
    <div>
      <div className="flex min-h-10 items-center gap-2">
        <h1
          tabIndex={-1}
          title={clipText(question, 600)}
          className="wrap-anywhere line-clamp-2 min-w-0 flex-1 font-semibold leading-5 outline-none"
        >
          {clipText(question, LONGEST)}
        </h1>
        <Button
          ref={edit}
          aria-label={t`Edit question`}
          size="sm"
          variant="quiet"
          icon={<Pencil size={13} aria-hidden />}
          disabled={!run.question}
          onClick={() => editQuestion(runId)}
        >
          <Trans>Edit</Trans>
        </Button>
        {running && <StopRun runId={runId} />}
      </div>
      <StopAsked runId={runId} running={running} />
      <AskProblem />
    </div>
  );
}

/** Opens the question in its box. The box has the keys at once: what is typed right after belongs there. */
export function editQuestion(runId: string) {
  flushSync(() => useUi.setState({ editing: runId }));
  const box = document.querySelector<HTMLTextAreaElement>("#page textarea[data-question]");
  box?.focus();
  box?.setSelectionRange(box.value.length, box.value.length);
}

/** The box begins with the method and the model of the run, as far as they can still be chosen. */
function useAskedWith(run: RunModel) {
  const { models, remotes, settings } = useSettings();
  const strategy = run.settings?.strategy ?? null;
  const used = onlyModel(run);
  const model =
    used !== settings?.defaultModel && usableModels(models, remotes).some((m) => m.id === used) ? used : null;
  useEffect(() => {
    beginWith(strategy === null ? null : { strategy, model });
  }, [strategy, model]);
  useEffect(() => () => beginWith(null), []);
}

/** The model of a run, if it was one. */
function onlyModel(run: RunModel): string | null {
  const used = [...new Set(Object.values(run.models))];
  return run.settings?.model ?? (used.length === 1 ? used[0]! : null);
}

/** The method and the models of a run. */
export function AskedWith({ run }: { run: RunModel }) {
  const { models, remotes } = useSettings();
  if (!run.settings) return <span className="flex-1" />;
  const titleOf = (id: string) => [...models, ...remotes].find((m) => m.id === id)?.title ?? id;
  const used = [...new Set(Object.values(run.models))].map(titleOf);
  const text = [everydayLabel(run.settings.strategy), ...used].join(" \u00b7 ");
  return (
    // Where not even the method fits, half a word would say nothing.
    <div className="@container min-w-0 flex-1">
      <p className="invisible truncate text-right text-fg-3 text-sm @min-[6rem]:visible" title={text}>
        <span className="sr-only">
          <Trans>Asked with</Trans>{" "}
        </span>
        {text}
      </p>
    </div>
  );
}
