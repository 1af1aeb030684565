import { useEffect, useMemo, useState } from "react";
import { useConnections } from "../features/connections/state";
import type { Steering } from "../features/graph/detail/EditNode";
import type { RunModel } from "../features/graph/model/model";
import { expectRun } from "../features/runs/state";
import type { RunChange, SteerPlace } from "../host/bindings";
import { host, toAppError } from "../host/host";
import { useLanguage } from "../kit/language";
import { dismissToast, toastError } from "../kit/toast";
import { navigate } from "../navigation/route";
import { stoppedNote } from "./resumableRun";

/** The editable settings of a finished run about data that was opened here before. */
export function useSteering(run: RunModel): Steering | undefined {
  const { runId, warehouse } = run;
  const ended = run.status !== "running";
  const known = useConnections((s) => s.entries.some((entry) => entry.uri === warehouse));
  const language = useLanguage((s) => s.language);
  const [places, setPlaces] = useState<SteerPlace[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are in the language of the window
  useEffect(() => {
    let gone = false;
    setPlaces(null);
    if (!ended || !known) return;
    host()
      .steerPlaces(runId)
      // Without it the run is only looked at.
      .then(
        (found) => !gone && setPlaces(found),
        () => {},
      );
    return () => {
      gone = true;
    };
  }, [runId, ended, known, language]);
  return useMemo(
    () => (places ? { places, onRun: (changes) => runFrom(runId, changes) } : undefined),
    [places, runId],
  );
}

/** Starts a run that continues another one and shows it. */
export async function runFrom(runId: string, changes: RunChange[]): Promise<boolean> {
  try {
    const next = await host().rerun(runId, changes);
    expectRun(next);
    dismissToast(stoppedNote(runId));
    navigate({ page: "run", runId: next, tab: "answer" });
    return true;
  } catch (thrown) {
    toastError(toAppError(thrown));
    return false;
  }
}
