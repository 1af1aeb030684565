import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "../../kit/button";
import { Progress } from "../../kit/status";
import { pausePreparation, startPreparation, useConnections } from "./state";
import { preparationLine, preparationState } from "./words";

/** Shows the progress of profile and value index, with buttons to start, pause and resume. */
export function PreparationPart({ uri }: { uri: string }) {
  const preparation = useConnections((s) => s.preparations[uri]);
  if (!preparation) return null;
  const state = preparationState(preparation);
  const line = preparationLine(preparation);
  const text = {
    unread: t`Rows have not been read. The first question samples them and indexes stored values.`,
    running: line?.text ?? t`Reading`,
    paused: `${t`Paused.`} ${line?.text ?? ""}`,
    failed: preparation.error?.message ?? "",
    done: t`Profile and value index are complete.`,
  }[state];
  return (
    <section aria-label={t`Profile and value index`} className="flex items-center gap-4 rounded-lg bg-sunk px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className={state === "failed" ? "text-warn" : "text-fg-2"} role="status">
          {text}
        </p>
        {preparation.sample && <p className="text-fg-3 text-sm">{preparation.sample}.</p>}
        {state === "failed" && preparation.error?.hint && (
          <p className="text-fg-3 text-sm">{preparation.error.hint}</p>
        )}
        {(state === "running" || state === "paused") && (
          <div className="mt-1.5">
            <Progress value={line?.part ?? null} label={text} />
          </div>
        )}
      </div>
      {state === "running" && (
        <Button size="sm" onClick={() => void pausePreparation(uri)}>
          <Trans>Pause</Trans>
        </Button>
      )}
      {(state === "paused" || state === "unread") && (
        <Button size="sm" onClick={() => void startPreparation(uri)}>
          {state === "paused" ? t`Resume` : t`Read now`}
        </Button>
      )}
    </section>
  );
}
