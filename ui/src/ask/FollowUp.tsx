import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { FollowUpBox, NO_FOLLOW_UP } from "../features/ask/FollowUpBox";
import { followUpOf, setFollowUp, useFollowUps } from "../features/ask/followUps";
import { NAMES } from "../features/ask/useMentions";
import { useNamesAway } from "../features/catalog/large";
import { useCatalogs } from "../features/catalog/state";
import { useConnections } from "../features/connections/state";
import type { RunModel } from "../features/graph/model/model";
import { host, toAppError } from "../host/host";
import { navigate, useRoute } from "../navigation/route";
import { runNow } from "../run/runModel";
import { askNext } from "../run/startRun";
import { settingsNow, useCompletedFollowUp } from "./useCompletedFollowUp";
import { useEstimateOf } from "./useEstimate";
import { useNextQuestions } from "./useNextQuestions";

/** Puts the focus into the box of the run on the page, on the tab that has it. False where there is none. */
export function focusFollowUp(): boolean {
  const { route } = useRoute.getState();
  if (route.page !== "run") return false;
  const { run, running } = runNow(route.runId);
  if (running || !run.page || !run.sql) return false;
  if (route.tab !== "answer") flushSync(() => navigate({ page: "run", runId: run.runId, tab: "answer" }));
  const box = followUpBox();
  box?.focus();
  return box !== null;
}

export const followUpBox = () => document.querySelector<HTMLElement>("#page textarea[data-follow-up]");

/** The next question, below the answer of a run. It carries the question before. */
export function FollowUp({ run }: { run: RunModel }) {
  const { runId } = run;
  const draft = useFollowUps((s) => s.drafts[runId] ?? NO_FOLLOW_UP);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const completed = useCompletedFollowUp(runId, draft.question === null && !busy ? draft.text : "");
  /** Which rewriting is waited for. */
  const waits = useRef(0);
  const namesAway = useNamesAway(run.warehouse, NAMES);
  const catalog = useCatalogs((s) => s.entries[run.warehouse]?.catalog ?? null);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);

  const followed = { runId, question: run.question, text: draft.text.trim() };
  // An estimate opens nothing: it is made of data that is open.
  const open = useConnections((s) => s.current?.uri === run.warehouse);
  const written = {
    warehouse: run.warehouse,
    question: draft.question ?? completed ?? draft.text,
    knowledge: run.knowledge ?? "",
  };
  const estimate = useEstimateOf(open && !busy ? { ...written, follows: followed } : null);

  const rewrite = async () => {
    const { text } = draft;
    waits.current += 1;
    const own = waits.current;
    setBusy(true);
    setProblem(null);
    try {
      const question = await host().followUp({ runId, text, settings: settingsNow() });
      // Whatever was typed meanwhile stays.
      if (own === waits.current && followUpOf(runId).text === text) setFollowUp(runId, { text, question });
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      if (shown.current && own === waits.current) setProblem([message, hint].filter(Boolean).join(" "));
    } finally {
      if (shown.current && own === waits.current) setBusy(false);
    }
  };
  const giveUp = () => {
    waits.current += 1;
    setBusy(false);
  };
  const next = useNextQuestions(run);
  const ask = async (question: string, text = followed.text) => {
    waits.current += 1;
    setBusy(true);
    const went = await askNext(question, run.warehouse, run.knowledge, { ...followed, text });
    if (went) setFollowUp(runId, NO_FOLLOW_UP);
    if (shown.current) setBusy(false);
  };
  return (
    <FollowUpBox
      draft={draft}
      completed={completed}
      before={run.question}
      next={next}
      busy={busy}
      problem={problem}
      estimate={estimate}
      onDraft={(next) => {
        setProblem(null);
        setFollowUp(runId, next);
      }}
      catalog={catalog}
      namesAway={namesAway}
      onRewrite={() => void rewrite()}
      onGiveUp={giveUp}
      onAsk={(text) => void ask(text)}
      onNext={({ text, whole }) => void ask(whole, text)}
    />
  );
}
