import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { GitBranch } from "lucide-react";
import { useEffect, useState } from "react";
import type { RunModel } from "../features/graph/model/model";
import { useRuns } from "../features/runs/state";
import type { RunSummary } from "../host/bindings";
import { host } from "../host/host";
import { shortWhen } from "../kit/format";
import { TextButton } from "../kit/textButton";
import { go } from "./route";

/** How many of the latest runs are looked at: what came of a run is later than it. */
const LATEST = 200;
const SHOWN = 5;

/** The runs that go on from this one with something changed, newest first. */
export function Branches({ run }: { run: RunModel }) {
  const branches = useBranches(run.runId);
  const [all, setAll] = useState(false);
  if (branches.length === 0) return null;
  const shown = all ? branches : branches.slice(0, SHOWN);
  return (
    <section aria-label={t`Runs that go on from this one`} className="mb-3 flex min-w-0 gap-2 text-fg-2 text-sm">
      <GitBranch size={14} className="mt-0.75 shrink-0 text-fg-3" aria-hidden />
      <div className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
        <span>
          <Trans>Run again with changes:</Trans>
        </span>
        {shown.map(({ runId, title, question, startedAt }) => (
          <span key={runId} className="flex min-w-0 max-w-full items-baseline gap-1.5">
            <button
              type="button"
              className="min-w-0 truncate rounded-sm text-accent hover:underline"
              title={title ?? question}
              onClick={() => go({ page: "run", runId, tab: "answer" })}
            >
              {title ?? question}
            </button>
            <span className="nums shrink-0 text-fg-3">{shortWhen(startedAt, new Date())}</span>
          </span>
        ))}
        {branches.length > shown.length && (
          <TextButton onClick={() => setAll(true)}>
            <Trans>{branches.length - shown.length} more</Trans>
          </TextButton>
        )}
      </div>
    </section>
  );
}

function useBranches(from: string): RunSummary[] {
  const [found, setFound] = useState<RunSummary[]>([]);
  // The list beside the page may be narrowed by a search, and has what has just begun.
  const listed = useRuns((s) => s.list);
  const hidden = useRuns((s) => s.hidden);
  useEffect(() => {
    let here = true;
    setFound([]);
    host()
      .runs("", LATEST, 0)
      .then((runs) => here && setFound(runs.filter((run) => run.steeredFrom === from)))
      // A link more or less is not worth a message.
      .catch(() => {});
    return () => {
      here = false;
    };
  }, [from]);
  const known = new Map(
    [...found, ...listed].filter((run) => run.steeredFrom === from).map((run) => [run.runId, run]),
  );
  return [...known.values()]
    .filter((run) => !hidden.includes(run.runId))
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}
