import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";
import { Keys } from "./keys";
import type { ShortcutId } from "./shortcuts";

interface HintProps {
  label: string;
  /** Keys that stay, or a shortcut that can have others. */
  keys?: string;
  command?: ShortcutId;
  children: ReactElement;
}

/** A short label on hover and focus. */
export function Hint({ label, keys, command, children }: HintProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-60">
          <Tooltip.Popup className="pop-in flex max-w-72 items-center gap-2 rounded-md bg-fg px-2 py-1 text-xs text-bg shadow-pop">
            {label}
            {(keys || command) && <Keys keys={keys} command={command} inverse />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

export const HintProvider = Tooltip.Provider;
