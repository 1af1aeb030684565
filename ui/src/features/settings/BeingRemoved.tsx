import { Trans } from "@lingui/react/macro";
import { useEffect, useRef } from "react";

/** In place of the buttons of what is being removed, while the message in the corner offers to undo it. It takes their focus. */
export function BeingRemoved() {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => text.current?.focus({ preventScroll: true }), []);
  return (
    <span ref={text} tabIndex={-1} className="shrink-0 rounded-sm px-1 text-fg-3 text-sm">
      <Trans>Being removed</Trans>
    </span>
  );
}
