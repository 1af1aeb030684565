import { useMemo } from "react";
import { SentView } from "../features/egress/SentView";
import type { SentRequest } from "../features/egress/sent";
import { nodeTitle } from "../features/graph/model/facts";
import { nodeById, type RunModel } from "../features/graph/model/model";
import { PROVIDERS, useSettings } from "../features/settings/state";

const PREFIXES = Object.keys(PROVIDERS).map((provider) => `${provider.toLowerCase()}:`);

/** The requests that a run sent to remote models. */
export function RequestsTab({
  run,
  running,
  onStep,
}: {
  run: RunModel;
  running: boolean;
  onStep: (node: string) => void;
}) {
  const requests = useMemo(() => requestsOf(run), [run]);
  const unrecorded = useRemoteModels(run);
  return (
    <SentView policy={run.egress} requests={requests} running={running} unrecorded={unrecorded} onStep={onStep} />
  );
}

function requestsOf(run: RunModel): SentRequest[] {
  const began = run.startedAt === null ? Number.NaN : Date.parse(run.startedAt);
  return run.sent.map((sent, index) => {
    const node = nodeById(run, sent.node);
    const at = began + sent.atMs;
    return {
      ...sent,
      number: index + 1,
      at: Number.isNaN(at) ? null : new Date(at).toISOString(),
      step: node ? nodeTitle(node) : sent.node,
      node: node?.id ?? null,
    };
  });
}

/** The models of a run that are behind an address, as far as their names tell: some may have been removed since. */
function useRemoteModels(run: RunModel): string[] {
  const remotes = useSettings((s) => s.remotes);
  return [...new Set(Object.values(run.models))].flatMap((id) => {
    const known = remotes.find((remote) => remote.id === id);
    if (known) return [known.title];
    return PREFIXES.some((prefix) => id.startsWith(prefix)) ? [id] : [];
  });
}
