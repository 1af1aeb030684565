import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CornerDownRight, GitBranch } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { changeInWords } from "../domain/changeText";
import type { RunModel } from "../features/graph/model/model";
import { useRuns } from "../features/runs/state";
import type { RunSummary } from "../host/bindings";
import { host } from "../host/host";
import { shortWhen } from "../kit/format";
import { TextButton } from "../kit/textButton";
import { navigate } from "../navigation/route";

const SHOWN = 5;

/** The runs that go on from this one, newest first: follow-up questions, and those with something changed. */
export function Branches({ run }: { run: RunModel }) {
  const branches = useBranches(run.runId);
  if (branches.length === 0) return null;
  const isFollowUp = ({ follows }: RunSummary) => follows === run.runId;
  return (
    <section
      aria-label={t`Runs that continue this one`}
      className="mb-3 flex min-w-0 flex-col gap-1 text-fg-2 text-sm"
    >
      <Part
        icon={<CornerDownRight size={14} />}
        title={t`Follow-up questions:`}
        runs={branches.filter((branch) => isFollowUp(branch))}
      />
      <Part
        icon={<GitBranch size={14} />}
        title={t`Rerun from here:`}
        runs={branches.filter((branch) => !isFollowUp(branch))}
      />
    </section>
  );
}

function Part({ icon, title, runs }: { icon: ReactNode; title: string; runs: RunSummary[] }) {
  const [all, setAll] = useState(false);
  if (runs.length === 0) return null;
  const shown = all ? runs : runs.slice(0, SHOWN);
  return (
    <div className="flex min-w-0 gap-2">
      <span className="mt-0.75 shrink-0 text-fg-3" aria-hidden>
        {icon}
      </span>
      <div className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
        <span>{title}</span>
        {shown.map((run) => (
          <Branch key={run.runId} run={run} />
        ))}
        {runs.length > shown.length && (
          <TextButton onClick={() => setAll(true)}>
            <Trans>{runs.length - shown.length} more</Trans>
          </TextButton>
        )}
      </div>
    </div>
  );
}

/** A run under what was changed in it, which tells it apart where the question is the same. */
function Branch({ run: { runId, title, question, changes, follows, startedAt } }: { run: RunSummary }) {
  const shown =
    title ?? (changes.map(changeInWords).join(", ") || (follows ? question : t`continued where it stopped`));
  return (
    <span className="flex min-w-0 max-w-full items-baseline gap-1.5">
      <button
        type="button"
        className="min-w-0 truncate rounded-sm text-accent hover:underline"
        title={shown}
        onClick={() => navigate({ page: "run", runId, tab: "answer" })}
      >
        {shown}
      </button>
      <span className="nums shrink-0 text-fg-3">{shortWhen(startedAt, new Date())}</span>
    </span>
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
      .branches(from)
      .then((runs) => here && setFound(runs))
      // A link more or less is not worth a message.
      .catch(() => {});
    return () => {
      here = false;
    };
  }, [from]);
  const begun = listed.filter((run) => run.steeredFrom === from || run.follows === from);
  const known = new Map([...found, ...begun].map((run) => [run.runId, run]));
  return [...known.values()]
    .filter((run) => !hidden.includes(run.runId))
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}
