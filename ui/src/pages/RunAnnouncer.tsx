import { t } from "@lingui/core/macro";
import { useEffect, useRef, useState } from "react";
import { headlineText } from "../answer/headline";
import { certaintyLabel } from "../domain/certainty";
import { nodeTitle } from "../features/graph/model/facts";
import { type RunModel, waitsForWord } from "../features/graph/model/model";
import type { AppError } from "../host/bindings";
import { useWindowNotice } from "../navigation/windows";

/** Minimum time between two announced steps, in milliseconds: more would be intrusive. */
const PAUSE_MS = 12_000;

/**
 * Tells those who hear the page how a run gets on, rarely, and at once when it asks, answers or fails. That, the title of the
 * window says, too: under WebKitGTK screen readers are not notified of a changed text, but they are of a changed title.
 */
export function RunAnnouncer({
  run,
  running,
  error,
}: {
  run: RunModel;
  /** As far as is known: not while its log is still loading. */
  running: boolean;
  error: AppError | null;
}) {
  const [text, setText] = useState("");
  // A run that had ended before the page opened is not announced.
  const seen = useRef(false);
  const last = useRef(0);
  const now = running ? outcomeText(run) : (outcomeText(run) ?? answerText(run, error));
  const said = now?.text ?? null;
  const sentence = now && completeText(now);
  const step = running && now === null ? progressText(run) : null;
  useEffect(() => {
    if (running) seen.current = true;
    if (!seen.current) return;
    // A later change of the certainty is announced by its own element.
    if (said !== null) setText((told) => (told.startsWith(said) ? told : (sentence ?? "")));
    useWindowNotice.setState({ text: sentence ?? "" });
  }, [running, said, sentence]);
  useEffect(() => () => useWindowNotice.setState({ text: "" }), []);
  useEffect(() => {
    if (step === null) return;
    const timer = setTimeout(
      () => {
        last.current = Date.now();
        setText(step);
      },
      Math.max(0, last.current + PAUSE_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [step]);
  return (
    <p role="status" aria-label={t`Question progress`} className="sr-only">
      {text}
    </p>
  );
}

interface AnnouncedRun {
  text: string;
  certainty?: string;
}

const completeText = ({ text, certainty }: AnnouncedRun) => (certainty ? `${text} ${certainty}.` : text);

/** The input that the run waits for. */
function outcomeText(run: RunModel): AnnouncedRun | null {
  const text = waitsWith(run);
  return text === null ? null : { text };
}

function waitsWith(run: RunModel): string | null {
  if (run.status !== "running") return null;
  if (run.offered) return t`Vitrine is waiting for your choice between ${run.offered.length} interpretations.`;
  if (run.approval) return t`A query needs your approval before it runs.`;
  if (waitsForWord(run)) return t`A first answer is ready. Keep looking, or stop here?`;
  return null;
}

function answerText(run: RunModel, error: AppError | null): AnnouncedRun | null {
  if (error) return { text: t`No answer. ${error.message}` };
  if (!run.page) return null;
  const text = t`Answer: ${headlineText(run.headline, run.page)}.`;
  if (!run.certainty) return { text };
  return { text, certainty: certaintyLabel(run.certainty.level) };
}

function progressText(run: RunModel): string | null {
  const stage = run.stages.findLast((s) => s.status === "running");
  return stage ? nodeTitle(stage) : null;
}
