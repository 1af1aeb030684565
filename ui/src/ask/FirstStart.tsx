import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { HardDriveDownload } from "lucide-react";
import { PullProgress } from "../features/settings/PullProgress";
import { missingModels, pausePull, pullModel, useSettings } from "../features/settings/state";
import type { ModelStatus } from "../host/bindings";
import { Button } from "../kit/button";
import { ErrorNote } from "../kit/error";
import { bytes } from "../kit/format";
import { TextButton } from "../kit/textButton";
import { navigate } from "../navigation/route";

function each(models: ModelStatus[], act: (id: string) => void) {
  for (const model of models) act(model.id);
}

/** Before the first question models have to be downloaded, or one elsewhere be chosen. */
export function FirstStart() {
  const { models, settings, pulls } = useSettings();
  const missing = missingModels({ models, settings });
  if (missing.length === 0) return null;
  const running = missing.filter((m) => pulls[m.id]?.state === "running");
  const stopped = missing.filter((m) => pulls[m.id]?.state !== "running");
  const begun = missing.some((m) => m.fetched > 0 || pulls[m.id]);
  const failure = missing.map((m) => pulls[m.id]).find((pull) => pull?.state === "failed")?.error;
  const answers = missing.some((m) => m.answers);
  const size = bytes(missing.reduce((sum, m) => sum + m.bytes, 0));
  return (
    <section aria-label={t`Models to download`} className="mb-4 rounded-lg border border-line bg-sunk px-4 py-3">
      <div className="flex items-center gap-3">
        <HardDriveDownload size={18} className="shrink-0 text-accent" aria-hidden />
        <div className="min-w-0 flex-1">
          <h2 className="font-medium">
            {answers ? t`The model is not on this computer yet` : t`Part of the model is missing`}
          </h2>
          <p className="text-fg-3 text-sm">
            {answers
              ? t`A single download of ${size}. After that, everything runs offline on this computer.`
              : t`Questions work without it. With it (${size}), Vitrine also finds stored values by their meaning.`}
          </p>
        </div>
        {running.length > 0 ? (
          <Button onClick={() => each(running, pausePull)}>
            <Trans>Pause</Trans>
          </Button>
        ) : (
          <Button variant="primary" onClick={() => each(stopped, (id) => void pullModel(id))}>
            {begun ? t`Resume` : t`Download`}
          </Button>
        )}
      </div>
      <div className="pl-7.5">
        <PullProgress models={missing} />
        {running.length > 0 && (
          <p className="mt-2 text-fg-3 text-sm">
            <Trans>
              You can open and explore your data in the meantime. If you close Vitrine, you can resume the download
              later.
            </Trans>
          </p>
        )}
        {failure && (
          <div className="mt-3">
            <ErrorNote error={failure} compact />
          </div>
        )}
        {answers && running.length === 0 && (
          <p className="mt-2 text-sm">
            <TextButton
              onClick={() => {
                useSettings.setState({ remote: "new" });
                navigate({ page: "settings", tab: "models" });
              }}
            >
              <Trans>Use a remote model instead</Trans>
            </TextButton>
          </p>
        )}
      </div>
    </section>
  );
}
