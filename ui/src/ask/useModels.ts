import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { usableModels, useSettings } from "../features/settings/state";
import type { Choice } from "../kit/select";

/**
 * The models to choose from; the empty id is the default. With `plainly`, the embedded model is titled by where it works, with
 * its name below, because a user who did not choose it does not know the name.
 */
export function useModelChoices(plainly = false): Choice<string>[] {
  const { models, remotes, settings } = useSettings();
  return useMemo(() => {
    const usable = usableModels(models, remotes);
    const all = models.find((m) => m.id === settings?.defaultModel);
    const standard = usable.find((m) => m.id === settings?.defaultModel) ?? all;
    const special = Object.keys(settings?.agentModels ?? {}).length > 0;
    const title = standard?.title ?? settings?.defaultModel ?? t`Default model`;
    const local = plainly && all?.kind === "embedded";
    const role = special ? t`Default; some stages use another model` : t`Default`;
    return [
      { value: "", label: local ? t`Local model` : title, note: local ? `${title}. ${role}` : role },
      ...usable.filter((m) => m.id !== settings?.defaultModel).map((m) => ({ value: m.id, label: m.title })),
    ];
  }, [models, remotes, settings, plainly]);
}
