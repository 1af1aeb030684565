import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { setExpertDetails, useExperts } from "../../domain/experts";
import { toAppError } from "../../host/host";
import { SettingRow, Switch } from "../../kit/field";
import {
  LANGUAGES,
  type LanguageChoice,
  setFormats,
  setLanguage,
  systemLanguage,
  useLanguage,
} from "../../kit/language";
import { Segmented } from "../../kit/segmented";
import { setTheme, useTheme } from "../../kit/theme";
import { setStay, toastError, useToasts } from "../../kit/toast";

export function AppearanceSection() {
  const theme = useTheme((s) => s.theme);
  const { choice, formats } = useLanguage();
  const details = useExperts((s) => s.details);
  const stay = useToasts((s) => s.stay);
  const system = LANGUAGES[systemLanguage()];
  const languages: { value: LanguageChoice; label: string }[] = [
    { value: "system", label: t`System` },
    // Each by its own name: who cannot read the present one finds theirs.
    { value: "en", label: LANGUAGES.en },
    { value: "de", label: LANGUAGES.de },
    { value: "fr", label: LANGUAGES.fr },
  ];
  return (
    <>
      <h2 className="mb-1 font-semibold text-lg">
        <Trans>Appearance</Trans>
      </h2>
      <SettingRow label={t`Language`} help={t`System is ${system}. A run keeps the language in which it was asked.`}>
        <span id="setting-language">
          <Segmented
            label={t`Language`}
            value={choice}
            choices={languages}
            onChange={(next) => void change("setting-language", () => setLanguage(next))}
          />
        </span>
      </SettingRow>
      <SettingRow label={t`Numbers and dates`} help={t`In results, charts and texts.`}>
        <span id="setting-formats">
          <Segmented
            label={t`Numbers and dates`}
            value={formats}
            choices={[
              { value: "language", label: t`Same as the language` },
              { value: "system", label: t`As on this computer` },
            ]}
            onChange={(next) => void change("setting-formats", () => setFormats(next))}
          />
        </span>
      </SettingRow>
      <SettingRow label={t`Theme`} help={t`High contrast follows the system's light or dark mode.`}>
        <Segmented
          label={t`Theme`}
          value={theme}
          choices={[
            { value: "system", label: t`System` },
            { value: "light", label: t`Light` },
            { value: "dark", label: t`Dark` },
            { value: "contrast", label: t`High contrast` },
          ]}
          onChange={setTheme}
        />
      </SettingRow>
      <SettingRow
        label={t`Notifications`}
        help={t`How long they stay, and how long you can undo. A notification stays while you point at it or it has the focus.`}
      >
        <Segmented
          label={t`Notifications`}
          value={stay}
          choices={[
            { value: "usual", label: t`Short` },
            { value: "long", label: t`Long` },
            { value: "always", label: t`Until closed` },
          ]}
          onChange={setStay}
        />
      </SettingRow>
      <SettingRow
        label={t`Details for experts`}
        help={t`Also show tokens, codes of rules, and hashes and exact times in the audit log.`}
      >
        <Switch label={t`Details for experts`} checked={details} onChange={setExpertDetails} />
      </SettingRow>
    </>
  );
}

/** Chooses, and puts the focus back on the choice: the page is drawn anew. */
async function change(row: string, choose: () => Promise<void>) {
  const had = document.getElementById(row)?.contains(document.activeElement);
  try {
    await choose();
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
  if (!had) return;
  requestAnimationFrame(() =>
    document.getElementById(row)?.querySelector<HTMLElement>('[role="radio"][aria-checked="true"]')?.focus(),
  );
}
