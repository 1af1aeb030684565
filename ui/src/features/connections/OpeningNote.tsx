import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "../../kit/button";
import { Spinner } from "../../kit/status";
import { useSlow } from "../../kit/useSlow";
import { stopOpening, useConnections } from "./state";
import { isServer, pathOf } from "./words";

/** Shows which warehouse is being opened if that takes a while, with a button to stop. */
export function OpeningNote({ sampleUri }: { sampleUri: string | null }) {
  const opening = useConnections((s) => s.opening);
  const title = useConnections((s) => s.entries.find(({ uri }) => uri === opening)?.title);
  const slow = useSlow(opening !== null);
  if (opening === null || !slow) return null;
  // At the first start there are no titles yet, and the user has not chosen the location of the sample.
  const name = title ?? (opening === sampleUri ? t`Sample warehouse` : pathOf(opening));
  return (
    <div className="flex items-center gap-3 rounded-lg bg-sunk px-3.5 py-2.5">
      <Spinner size={15} />
      <p role="status" className="min-w-0 flex-1 text-fg-2 text-sm">
        <Trans>
          Opening <span className="wrap-anywhere font-medium text-fg">{name}</span>.
        </Trans>{" "}
        {isServer(opening) ? t`Waiting for the server.` : t`Reading the names of its tables.`}
      </p>
      <Button size="sm" onClick={() => void stopOpening()}>
        <Trans>Stop</Trans>
      </Button>
    </div>
  );
}
