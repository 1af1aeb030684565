import { Trans } from "@lingui/react/macro";
import { openWarehouse, showOpenDialog, useConnections } from "../features/connections/state";
import { Button } from "../kit/button";
import { ErrorNote } from "../kit/error";

/** Why the warehouse that was meant did not open, while no dialog says so. */
export function OpeningProblem({ unasked }: { unasked: boolean }) {
  const { failure, dialog } = useConnections();
  if (!failure || dialog) return null;
  return (
    <div className="mt-4">
      {unasked && (
        <p className="mb-2 px-1 text-fg-2">
          <Trans>Your question was not asked. It is saved as a draft.</Trans>
        </p>
      )}
      <ErrorNote
        error={failure.error}
        again={() => void openWarehouse(failure.uri)}
        action={
          <Button onClick={() => showOpenDialog(true)}>
            <Trans>Open warehouse</Trans>
          </Button>
        }
      />
    </div>
  );
}
