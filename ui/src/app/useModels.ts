import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { usableModels, useSettings } from "../features/settings/state";
import type { Choice } from "../kit/select";

/** The models to choose from in the question box; the empty id is the default. */
export function useModelChoices(): Choice<string>[] {
  const { models, remotes, settings } = useSettings();
  return useMemo(() => {
    const usable = usableModels(models, remotes);
    const all = models.find((m) => m.id === settings?.defaultModel);
    const standard = usable.find((m) => m.id === settings?.defaultModel) ?? all;
    const special = Object.keys(settings?.agentModels ?? {}).length > 0;
    return [
      {
        value: "",
        label: standard?.title ?? settings?.defaultModel ?? t`Default model`,
        note: special ? t`Default; some stages use another model` : t`Default`,
      },
      ...usable.filter((m) => m.id !== settings?.defaultModel).map((m) => ({ value: m.id, label: m.title })),
    ];
  }, [models, remotes, settings]);
}
