import { useEffect, useState } from "react";

/** Shorter than that, something is over before anybody could read that it goes on. */
const BLINK_MS = 300;

/** Whether something has gone on for longer than a blink. */
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
