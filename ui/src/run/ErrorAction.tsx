import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { showOpenDialog } from "../features/connections/state";
import { missingModels, pullModel, useSettings } from "../features/settings/state";
import type { AppError } from "../host/bindings";
import { Button } from "../kit/button";
import { navigate } from "../navigation/route";

/** Buttons that resolve an error. */
export function ErrorAction({
  error,
  onRetry,
  onGoOn,
}: {
  error: AppError;
  onRetry?: () => void;
  /** Where something is left to go on from. */
  onGoOn?: () => void;
}) {
  const { models, settings } = useSettings();
  const needed = missingModels({ models, settings });
  const other = models.find((m) => m.inUse && !m.present) ?? models.find((m) => !m.present);
  return (
    <>
      {error.code === "modelMissing" && (
        <Button
          variant="primary"
          onClick={() => {
            for (const { id } of needed.length > 0 || !other ? needed : [other]) void pullModel(id);
            navigate({ page: "settings", tab: "models" });
          }}
        >
          <Trans>Download the model</Trans>
        </Button>
      )}
      {onGoOn && error.code !== "modelMissing" && (
        <Button variant="primary" title={t`Completed steps are kept`} onClick={onGoOn}>
          <Trans>Continue</Trans>
        </Button>
      )}
      {error.code === "model" && (
        <Button onClick={() => navigate({ page: "settings", tab: "models" })}>
          <Trans>Model settings</Trans>
        </Button>
      )}
      {(error.code === "connection" || error.code === "password") && (
        <Button onClick={() => showOpenDialog(true)}>
          <Trans>Open warehouse</Trans>
        </Button>
      )}
      {onRetry && error.code !== "modelMissing" && (
        <Button onClick={onRetry}>
          <Trans>Start over</Trans>
        </Button>
      )}
    </>
  );
}
