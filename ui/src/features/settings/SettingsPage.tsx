import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { cx } from "../../kit/cx";
import { ErrorNote } from "../../kit/error";
import { SettingRow } from "../../kit/field";
import { Skeleton } from "../../kit/status";
import { AppearanceSection } from "./AppearanceSection";
import { AskingSection } from "./AskingSection";
import { BackupSection } from "./BackupSection";
import { CostsSection } from "./CostsSection";
import { KeyboardSection } from "./KeyboardSection";
import { MethodsSection } from "./MethodsSection";
import { ModelsSection } from "./ModelsSection";
import { RulesSection } from "./RulesSection";
import { StepsSection } from "./StepsSection";
import { loadSettings, useSettings } from "./state";

const EVERYDAY = [
  {
    tab: "models",
    get title() {
      return t`Models`;
    },
  },
  {
    tab: "asking",
    get title() {
      return t`Questions`;
    },
  },
  {
    tab: "costs",
    get title() {
      return t`Costs`;
    },
  },
  {
    tab: "keyboard",
    get title() {
      return t`Keyboard`;
    },
  },
  {
    tab: "appearance",
    get title() {
      return t`Appearance`;
    },
  },
  {
    tab: "backup",
    get title() {
      return t({ message: "Backup", context: "a page of settings: the workspace as one file" });
    },
  },
] as const;

/** For those who tune and measure how questions are answered. */
const ADVANCED = [
  {
    tab: "steps",
    get title() {
      return t`Steps`;
    },
  },
  {
    tab: "methods",
    get title() {
      return t`Methods`;
    },
  },
  {
    tab: "rules",
    get title() {
      return t`Rules`;
    },
  },
] as const;

/** Every page with its title. */
export const SETTINGS_PAGES = [...EVERYDAY, ...ADVANCED];

export type SettingsTab = (typeof SETTINGS_PAGES)[number]["tab"];

export function SettingsPage({
  tab,
  onTab,
  onEvaluations,
  onWorkspace,
}: {
  tab: SettingsTab;
  onTab: (tab: SettingsTab) => void;
  /** Opens the page of evaluations. */
  onEvaluations: () => void;
  /** The workspace has got something, or lost it again. */
  onWorkspace: () => void;
}) {
  const { settings, status, error, info } = useSettings();
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-220 gap-10 px-8 py-6">
        <nav aria-label={t`Settings`} className="sticky top-6 w-36 shrink-0 self-start">
          <h1 className="mb-3 px-2 font-semibold text-xl">
            <Trans>Settings</Trans>
          </h1>
          {EVERYDAY.map((t) => (
            <Entry key={t.tab} title={t.title} current={t.tab === tab} onOpen={() => onTab(t.tab)} />
          ))}
          <h2 className="mt-5 mb-1 px-2 font-medium text-fg-3 text-sm">
            <Trans>Advanced</Trans>
          </h2>
          {ADVANCED.map((t) => (
            <Entry key={t.tab} title={t.title} current={t.tab === tab} onOpen={() => onTab(t.tab)} />
          ))}
          <Entry title={t`Evaluations`} current={false} onOpen={onEvaluations} />
        </nav>
        <div className="min-w-0 flex-1 pt-1 pb-10">
          {status === "failed" && error && <ErrorNote error={error} again={() => void loadSettings()} />}
          {status === "loading" && [1, 2, 3, 4].map((n) => <Skeleton key={n} className="mb-3 h-14 rounded-lg" />)}
          {settings && tab === "models" && <ModelsSection settings={settings} onSteps={() => onTab("steps")} />}
          {settings && tab === "asking" && <AskingSection settings={settings} />}
          {settings && tab === "steps" && <StepsSection settings={settings} />}
          {settings && tab === "costs" && <CostsSection settings={settings} />}
          {tab === "rules" && <RulesSection />}
          {settings && tab === "methods" && <MethodsSection settings={settings} />}
          {tab === "keyboard" && <KeyboardSection />}
          {tab === "backup" && <BackupSection onChanged={onWorkspace} />}
          {tab === "appearance" && <AppearanceSection />}
          {tab === "appearance" && info && (
            <>
              <h2 className="mt-9 mb-1 font-semibold text-lg">
                <Trans context="the program">About</Trans>
              </h2>
              <SettingRow label={t`Version`}>
                <span className="nums text-fg-2">{info.version}</span>
              </SettingRow>
              <SettingRow
                label={t`Data folder`}
                help={t`History, saved questions and profiles. You choose what remote models see for each database.`}
              >
                <span className="select-text font-mono text-fg-2 text-xs">{info.dataDir}</span>
              </SettingRow>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function Entry({ title, current, onOpen }: { title: string; current: boolean; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-current={current ? "page" : undefined}
      onClick={onOpen}
      className={cx(
        "block w-full rounded-md px-2 py-1.5 text-left",
        current ? "bg-active font-medium" : "text-fg-2 hover:bg-hover hover:text-fg",
      )}
    >
      {title}
    </button>
  );
}
