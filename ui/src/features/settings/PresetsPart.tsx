import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import type { ModelPresetInfo, Settings } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Skeleton } from "../../kit/status";
import { TextButton } from "../../kit/textButton";
import { toastError } from "../../kit/toast";
import { presetOf } from "./costs";
import { changeSettings, useSettings } from "./state";

/** Presets of models; each sets the model of every step. */
export function PresetsPart({
  settings,
  onSteps,
}: {
  settings: Settings;
  /** Opens the page on which each step has its model. */
  onSteps: () => void;
}) {
  const { models, remotes } = useSettings();
  const [presets, setPresets] = useState<ModelPresetInfo[]>([]);
  // Other models give other presets.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the presets are made of
  useEffect(() => {
    let gone = false;
    host()
      .modelPresets()
      .then(
        (read) => !gone && setPresets(read),
        (thrown) => !gone && toastError(toAppError(thrown)),
      );
    return () => {
      gone = true;
    };
  }, [models, remotes, settings.defaultModel]);
  const current = presetOf(settings, presets);
  const choose = (name: string) => {
    const preset = presets.find((p) => p.name === name);
    if (preset?.model) void changeSettings({ defaultModel: preset.model, agentModels: preset.agentModels });
  };
  return (
    <>
      <h2 className="font-semibold text-lg">
        <Trans>Models used</Trans>
      </h2>
      <p className="mt-0.5 mb-3 text-fg-3 text-sm">
        {presets.length > 0 && current === null ? (
          <Trans>
            Your own choice of models, made below and under <TextButton onClick={onSteps}>Advanced, Steps</TextButton>
            .
          </Trans>
        ) : (
          <Trans>
            Other models can be chosen for single steps under{" "}
            <TextButton onClick={onSteps}>Advanced, Steps</TextButton>.
          </Trans>
        )}
      </p>
      <RadioGroup
        aria-label={t`Models used`}
        value={current?.name ?? ""}
        onValueChange={(name) => choose(String(name))}
        className="mb-9 divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised"
      >
        {presets.length === 0 && [1, 2, 3].map((n) => <Skeleton key={n} className="mx-4 my-3 h-9.5" />)}
        {presets.map(({ name, label, note, usable }) => (
          <Radio.Root
            key={name}
            value={name}
            disabled={!usable}
            className="group flex w-full cursor-default items-start gap-3 px-4 py-3 text-left outline-offset-[-2px] hover:bg-hover data-checked:bg-accent-soft data-disabled:hover:bg-transparent"
          >
            <span className="mt-0.75 flex size-3.5 shrink-0 items-center justify-center rounded-full border border-edge group-data-checked:border-accent group-data-disabled:opacity-45">
              <Radio.Indicator className="size-1.75 rounded-full bg-accent" />
            </span>
            <span className="min-w-0">
              <span className="block font-medium group-data-disabled:text-fg-3">{label}</span>
              <span className="wrap-anywhere block text-fg-3 text-sm">{note}</span>
            </span>
          </Radio.Root>
        ))}
      </RadioGroup>
    </>
  );
}
