import { Trans } from "@lingui/react/macro";
import { GitBranch } from "lucide-react";
import { changeInWords } from "../domain/changeText";
import type { RunModel } from "../features/graph/model/model";
import { joinClauses } from "../kit/format";
import { TextButton } from "../kit/textButton";
import { navigate } from "../navigation/route";
import { conditionChange } from "./conditionChange";
import { useOrigin } from "./useOrigin";

/** Lists the user's changes in a run that continues an earlier one. */
export function ChangedStrip({ run }: { run: RunModel }) {
  const { steered, runId } = run;
  // The question is that of the first run, however often it was changed since.
  const origin = useOrigin(run);
  if (!steered) return null;
  const conditions = origin && conditionChange(origin, run);
  return (
    <div className="flex shrink-0 items-center gap-2 border-line border-b bg-accent-soft px-6 py-1.5 text-sm">
      <GitBranch size={14} className="shrink-0 text-fg-3" aria-hidden />
      <span className="min-w-0 truncate">
        {steered.changes.length === 0 ? (
          <Trans>Continues the earlier run where it stopped</Trans>
        ) : (
          <Trans>Changed: {joinClauses(steered.changes.map(changeInWords))}</Trans>
        )}
      </span>
      {conditions && (
        <span className="min-w-0 truncate text-fg-2" title={conditions}>
          ({conditions})
        </span>
      )}
      <span aria-hidden>·</span>
      <TextButton onClick={() => navigate({ page: "compare", left: steered.from, right: runId })}>
        <Trans>Compare with the earlier run</Trans>
      </TextButton>
      <span aria-hidden>·</span>
      <TextButton onClick={() => navigate({ page: "run", runId: steered.from, tab: "answer" })}>
        <Trans>Open earlier run</Trans>
      </TextButton>
    </div>
  );
}
