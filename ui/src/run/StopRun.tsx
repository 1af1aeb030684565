import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Square } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../kit/button";
import { useFocusAfterRemoval } from "../kit/focusNeighbour";
import { duration } from "../kit/format";
import { Hint } from "../kit/tooltip";
import { keepGoing, requestStop, useStopRequest } from "./stopRunState";

const STOP_ASKED = "stop-asked";

/** Stops a run; after some work it asks first (`StopAsked`), and stops when it is pressed again. */
export function StopRun({ runId }: { runId: string }) {
  const asked = useStopRequest((s) => s.asked?.runId === runId);
  return (
    <span ref={useFocusAfterRemoval<HTMLSpanElement>()} className="shrink-0">
      <Hint label={t`Stop`} command="stop">
        <Button
          size="sm"
          variant={asked ? "danger" : "plain"}
          aria-describedby={asked ? STOP_ASKED : undefined}
          icon={<Square size={10} fill="currentColor" />}
          onClick={(event) => {
            // The second click of a double click does not count.
            if (event.detail < 2) requestStop(runId);
          }}
        >
          <Trans>Stop</Trans>
        </Button>
      </Hint>
    </span>
  );
}

/** Shows the work that stopping would lose, with a button to continue. */
export function StopAsked({ runId, running }: { runId: string; running: boolean }) {
  const asked = useStopRequest((s) => (running && s.asked?.runId === runId ? s.asked : null));
  // Neither another page nor the end of the run is an answer.
  useEffect(() => (running ? () => void keepGoing() : undefined), [running]);
  return asked && <Asked ms={asked.ms} />;
}

function Asked({ ms }: { ms: number }) {
  // Whole seconds: an exact measurement is not needed.
  const work = duration(Math.round(ms / 1000) * 1000);
  return (
    <div
      ref={useFocusAfterRemoval<HTMLDivElement>()}
      className="flex flex-wrap items-center justify-end gap-2 pb-1 text-sm"
    >
      <p id={STOP_ASKED} role="alert" className="text-warn">
        <Trans>Stop? {work} of work will be lost. Press Stop again to confirm.</Trans>
      </p>
      <Button size="sm" onClick={() => keepGoing()}>
        <Trans>Keep going</Trans>
      </Button>
    </div>
  );
}
