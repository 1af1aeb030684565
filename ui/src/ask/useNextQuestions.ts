import { useEffect, useState } from "react";
import type { NextQuestion } from "../features/ask/FollowUpBox";
import type { RunModel } from "../features/graph/model/model";
import { host } from "../host/host";
import { possibleFollowUps } from "./nextQuestions";
import { settingsNow } from "./useCompletedFollowUp";

/** Questions that are offered at once. */
const MOST = 4;

/** Follow-ups of a run that are completed without a model, each with its whole question. */
export function useNextQuestions({ runId, question, headline, follows }: RunModel): NextQuestion[] {
  const [found, setFound] = useState<{ key: string; next: NextQuestion[] } | null>(null);
  const shape = headline?.shape ?? null;
  const before = follows?.question ?? null;
  const key = JSON.stringify([runId, question, shape, before]);
  useEffect(() => {
    let gone = false;
    const complete = async (text: string): Promise<NextQuestion | null> => {
      const whole = await host()
        .completeFollowUp({ runId, text, settings: settingsNow() })
        .catch(() => null);
      // The question before this one has its answer already.
      return whole === null || whole === question || whole === before ? null : { text, whole };
    };
    void Promise.all(possibleFollowUps(question, shape, new Date()).map(complete)).then((all) => {
      const next = all.filter((one) => one !== null);
      const first = next.filter(({ whole }, at) => next.findIndex((other) => other.whole === whole) === at);
      if (!gone) setFound({ key, next: first.slice(0, MOST) });
    });
    return () => {
      gone = true;
    };
  }, [runId, question, shape, before, key]);
  return found?.key === key ? found.next : [];
}
