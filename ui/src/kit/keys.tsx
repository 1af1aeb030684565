import { Fragment } from "react";
import { cx } from "./cx";
import { keyNames } from "./keyNames";
import { type ShortcutId, useKeysOf } from "./shortcuts";

/** Keys as caps: fixed ones, or those that a shortcut has now. Nothing where it has none. */
export function Keys({ keys, command, inverse }: { keys?: string; command?: ShortcutId; inverse?: boolean }) {
  const current = useKeysOf(command);
  const names = keyNames(keys ?? current);
  if (names.length === 0) return null;
  return (
    <span className="inline-flex gap-0.5">
      {names.map((name, at) => (
        <Fragment key={name}>
          {/* Two caps beside each other would be heard as one word. */}
          {at > 0 && <span className="sr-only">+</span>}
          <kbd
            className={cx(
              "inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm px-1 font-sans text-[10.5px] leading-none",
              inverse ? "bg-white/15 text-inherit" : "border border-line-strong bg-raised text-fg-3",
            )}
          >
            {name}
          </kbd>
        </Fragment>
      ))}
    </span>
  );
}
