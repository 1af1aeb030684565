import { showOpenDialog } from "../features/connections/state";
import { pullModel, useSettings } from "../features/settings/state";
import type { AppError } from "../host/bindings";
import { Button } from "../kit/button";
import { go } from "./route";

/** A button that resolves an error. */
export function ErrorAction({ error, onRetry }: { error: AppError; onRetry?: () => void }) {
  const models = useSettings((s) => s.models);
  const wanted = models.find((m) => m.inUse && !m.present) ?? models.find((m) => !m.present);
  return (
    <>
      {error.code === "modelMissing" && (
        <Button
          variant="primary"
          onClick={() => {
            if (wanted) void pullModel(wanted.id);
            go({ page: "settings", tab: "models" });
          }}
        >
          Download the model
        </Button>
      )}
      {error.code === "model" && (
        <Button onClick={() => go({ page: "settings", tab: "models" })}>Model settings</Button>
      )}
      {(error.code === "connection" || error.code === "password") && (
        <Button onClick={() => showOpenDialog(true)}>Open warehouse</Button>
      )}
      {onRetry && error.code !== "modelMissing" && <Button onClick={onRetry}>Ask again</Button>}
    </>
  );
}
