import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CircleQuestionMark, Footprints, Keyboard } from "lucide-react";
import { cx } from "../kit/cx";
import { Keys } from "../kit/keys";
import { Menu, MenuItem } from "../kit/menu";
import { useUi } from "../navigation/uiState";
import { startTour } from "./tourState";

/** The help menu at the end of the sidebar. */
export function HelpMenu({ collapsed, ...stop }: { collapsed: boolean; tabIndex: number; onFocus: () => void }) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t`Help`}
          data-nav
          {...stop}
          className={cx(
            "flex items-center justify-center rounded-md text-fg-3 transition-colors hover:bg-hover hover:text-fg data-popup-open:bg-hover",
            collapsed ? "h-8 w-11" : "size-7.5",
          )}
        >
          <CircleQuestionMark size={16} aria-hidden />
        </button>
      }
    >
      <MenuItem icon={<Footprints size={14} />} onSelect={() => void startTour()}>
        <Trans>Take the tour</Trans>
      </MenuItem>
      <MenuItem
        icon={<Keyboard size={14} />}
        note={<Keys command="shortcuts" />}
        onSelect={() => useUi.setState({ shortcuts: true })}
      >
        <Trans>Keyboard shortcuts</Trans>
      </MenuItem>
    </Menu>
  );
}
