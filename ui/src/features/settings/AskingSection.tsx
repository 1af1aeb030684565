import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEverydayChoices } from "../../domain/methods";
import type { Settings } from "../../host/bindings";
import { NumberInput, OptionalNumberInput, SettingRow, Switch } from "../../kit/field";
import { Select } from "../../kit/select";
import { changeSettings } from "./state";

/** Settings of answering. */
export function AskingSection({ settings }: { settings: Settings }) {
  const methods = useEverydayChoices();
  return (
    <>
      <h2 className="mb-1 font-semibold text-lg">
        <Trans>Answering</Trans>
      </h2>
      <SettingRow
        label={t`Method`}
        help={t`How questions are answered. You can choose another method for each question.`}
      >
        <Select
          label={t`Method`}
          className="w-44"
          value={settings.strategy}
          choices={methods}
          onChange={(strategy) => void changeSettings({ strategy })}
        />
      </SettingRow>
      <SettingRow
        label={t`Time limit, in seconds`}
        help={t`After this time, the best result so far becomes the answer.`}
      >
        <OptionalNumberInput
          label={t`Time limit`}
          empty={t`None`}
          value={settings.budget.seconds}
          min={1}
          max={86_400}
          onChange={(seconds) => void changeSettings({ budget: { ...settings.budget, seconds } })}
        />
      </SettingRow>
      <SettingRow
        label={t`Show best result after, in seconds`}
        help={
          settings.budget.seconds === null
            ? t`Then you choose whether to keep looking or to stop there. 0 never asks.`
            : t`Not used: the time limit above ends the question.`
        }
      >
        <NumberInput
          label={t`Show best result after`}
          value={settings.answerWithinS}
          min={0}
          max={86_400}
          onChange={(answerWithinS) => void changeSettings({ answerWithinS })}
        />
      </SettingRow>
      <SettingRow
        label={t`Ask when unsure`}
        help={t`If attempts disagree, Vitrine shows the result of each interpretation and lets you choose.`}
      >
        <Switch
          label={t`Ask when unsure`}
          checked={settings.askWhenUnsure}
          onChange={(askWhenUnsure) => void changeSettings({ askWhenUnsure })}
        />
      </SettingRow>

      <h2 className="mt-9 mb-1 font-semibold text-lg">
        <Trans>Local model</Trans>
      </h2>
      <SettingRow label={t`Threads`} help={t`0 uses one thread per processor core.`}>
        <NumberInput
          label={t`Threads`}
          value={settings.threads}
          min={0}
          max={256}
          onChange={(threads) => void changeSettings({ threads })}
        />
      </SettingRow>
      <SettingRow label={t`Context, in tokens`} help={t`A longer context needs more memory.`}>
        <NumberInput
          label={t`Context`}
          value={settings.contextTokens}
          min={2048}
          max={131_072}
          onChange={(contextTokens) => void changeSettings({ contextTokens })}
        />
      </SettingRow>
      <SettingRow
        label={t`Release memory after, in minutes`}
        help={t`The model is unloaded after that time without a question. 0 keeps it loaded.`}
      >
        <NumberInput
          label={t`Release memory after`}
          value={settings.idleMinutes}
          min={0}
          max={1440}
          onChange={(idleMinutes) => void changeSettings({ idleMinutes })}
        />
      </SettingRow>

      <h2 className="mt-9 mb-1 font-semibold text-lg">
        <Trans>Database</Trans>
      </h2>
      <SettingRow label={t`Row limit`} help={t`Maximum number of rows in an answer. Exports have no limit.`}>
        <NumberInput
          label={t`Row limit`}
          value={settings.rowLimit}
          min={1}
          max={1_000_000}
          onChange={(rowLimit) => void changeSettings({ rowLimit })}
        />
      </SettingRow>
      <SettingRow label={t`Timeout, in seconds`} help={t`Maximum duration of one query.`}>
        <NumberInput
          label={t`Timeout`}
          value={settings.timeoutS}
          min={1}
          max={3600}
          onChange={(timeoutS) => void changeSettings({ timeoutS })}
        />
      </SettingRow>
      <SettingRow label={t`Memory, in MB`} help={t`Maximum memory of one query.`}>
        <NumberInput
          label={t`Memory`}
          value={settings.memoryMb}
          min={64}
          max={262_144}
          onChange={(memoryMb) => void changeSettings({ memoryMb })}
        />
      </SettingRow>
      <SettingRow
        label={t`Escape formulas in CSV`}
        help={t`Adds ' before values that a spreadsheet would run as a formula.`}
      >
        <Switch
          label={t`Escape formulas in CSV`}
          checked={settings.csvGuardFormulas}
          onChange={(csvGuardFormulas) => void changeSettings({ csvGuardFormulas })}
        />
      </SettingRow>
      <SettingRow
        label={t`Mark CSV as UTF-8`}
        help={t`Starts files with a byte order mark, which Excel needs to show accents and other scripts.`}
      >
        <Switch
          label={t`Mark CSV as UTF-8`}
          checked={settings.csvByteOrderMark}
          onChange={(csvByteOrderMark) => void changeSettings({ csvByteOrderMark })}
        />
      </SettingRow>
    </>
  );
}
