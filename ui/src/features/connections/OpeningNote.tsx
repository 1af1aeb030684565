import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "../../kit/button";
import { Spinner } from "../../kit/status";
import { useSlow } from "../../kit/useSlow";
import { stopOpening, useConnections } from "./state";
import { isServer, pathOf } from "./words";

/** What is being opened, where that takes longer than a blink, and how to stop it. */
export function OpeningNote() {
  const opening = useConnections((s) => s.opening);
  const slow = useSlow(opening !== null);
  if (opening === null || !slow) return null;
  return (
    <div className="flex items-center gap-3 rounded-lg bg-sunk px-3.5 py-2.5">
      <Spinner size={15} />
      <p role="status" className="min-w-0 flex-1 text-fg-2 text-sm">
        <Trans>
          Opening <span className="wrap-anywhere font-medium text-fg">{pathOf(opening)}</span>.
        </Trans>{" "}
        {isServer(opening) ? t`Waiting for the server.` : t`Reading the names of its tables.`}
      </p>
      <Button size="sm" onClick={() => void stopOpening()}>
        <Trans>Stop</Trans>
      </Button>
    </div>
  );
}
