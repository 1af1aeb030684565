import { useEffect, useState } from "react";

/** Anything shorter is over before a progress message could be read. */
const BLINK_MS = 300;

/** Returns whether something has gone on for longer than a blink. */
export function useSlow(on: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => setSlow(true), BLINK_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [on]);
  return on && slow;
}
