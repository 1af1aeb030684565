import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "../kit/button";
import { Dialog } from "../kit/dialog";
import { Keys } from "../kit/keys";
import { FIXED, GROUP_NAMES, GROUPS, SHORTCUT_IDS, SHORTCUTS } from "../kit/shortcuts";
import { navigate } from "../navigation/route";
import { useUi } from "../navigation/uiState";

const closeShortcuts = () => useUi.setState({ shortcuts: false });

/** All shortcuts with the keys that they have now. */
export function Shortcuts() {
  const open = useUi((s) => s.shortcuts);
  return (
    <Dialog
      open={open}
      onClose={closeShortcuts}
      title={t`Keyboard shortcuts`}
      width="w-165"
      still
      footer={
        <Button
          onClick={() => {
            closeShortcuts();
            navigate({ page: "settings", tab: "keyboard" });
          }}
        >
          <Trans>Change keys…</Trans>
        </Button>
      }
    >
      <div className="columns-2 gap-x-10 pt-1">
        {GROUPS.map((group) => (
          <section key={group} className="break-inside-avoid pb-5">
            <h3 className="mb-1.5 font-medium text-fg-3 text-sm">{i18n._(GROUP_NAMES[group])}</h3>
            <dl>
              {SHORTCUT_IDS.filter((id) => SHORTCUTS[id].group === group).map((id) => (
                <Line key={id} what={i18n._(SHORTCUTS[id].title)} keys={<Keys command={id} />} />
              ))}
              {FIXED.filter((fixed) => fixed.group === group).map(({ title, keys }) => (
                <Line key={title.id} what={i18n._(title)} keys={<Keys keys={keys} />} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Line({ what, keys }: { what: string; keys: React.ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3 py-1">
      <dt>{what}</dt>
      <dd className="shrink-0">{keys}</dd>
    </div>
  );
}
