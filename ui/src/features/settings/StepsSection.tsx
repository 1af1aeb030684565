import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { AGENTS } from "../../domain/agents";
import type { Agent, Settings } from "../../host/bindings";
import { NumberInput, SettingRow } from "../../kit/field";
import { Select } from "../../kit/select";
import { changeSettings, usableModels, useSettings } from "./state";

/** Settings of the steps: number of attempts and model of each. */
export function StepsSection({ settings }: { settings: Settings }) {
  const { models, remotes } = useSettings();
  const usable = usableModels(models, remotes);
  const title = usable.find((m) => m.id === settings.defaultModel)?.title ?? settings.defaultModel;
  const choices = [
    { value: "", label: t`Default`, note: title },
    ...usable.map((m) => ({ value: m.id, label: m.title })),
  ];
  return (
    <>
      <h2 className="mb-1 font-semibold text-lg">
        <Trans>Steps</Trans>
      </h2>
      <SettingRow
        label={t`Attempts`}
        help={t`Number of final queries that Auto, AV-SQL and Plain vote write. The most common result wins.`}
      >
        <NumberInput
          label={t`Attempts`}
          value={settings.candidates}
          min={1}
          max={16}
          onChange={(candidates) => void changeSettings({ candidates })}
        />
      </SettingRow>
      <SettingRow label={t`Repair rounds`} help={t`Maximum number of corrections of a step after database errors.`}>
        <NumberInput
          label={t`Repair rounds`}
          value={settings.maxRounds}
          min={0}
          max={10}
          onChange={(maxRounds) => void changeSettings({ maxRounds })}
        />
      </SettingRow>

      <h2 className="mt-9 mb-1 font-semibold text-lg">
        <Trans>Model for each step</Trans>
      </h2>
      {(Object.keys(AGENTS) as Agent[]).map((agent) => (
        <SettingRow key={agent} label={AGENTS[agent].title} help={AGENTS[agent].help}>
          <Select
            label={t`Model for: ${AGENTS[agent].title}`}
            className="w-60"
            value={settings.agentModels[agent] ?? ""}
            choices={choices}
            onChange={(id) => {
              const { [agent]: _, ...rest } = settings.agentModels;
              void changeSettings({ agentModels: id === "" ? rest : { ...rest, [agent]: id } });
            }}
          />
        </SettingRow>
      ))}
    </>
  );
}
