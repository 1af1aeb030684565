import { t } from "@lingui/core/macro";
import { Pause, Play, StepBack, StepForward, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { RunEvent } from "../../../host/bindings";
import { IconButton } from "../../../kit/button";
import { clock } from "../../../kit/format";
import { Segmented } from "../../../kit/segmented";
import { eventsBy, stageStep } from "./replay";

const SPEEDS = [
  {
    value: "1",
    label: "1×",
    get note() {
      return t`Original speed`;
    },
  },
  {
    value: "4",
    label: "4×",
    get note() {
      return t`4 times faster`;
    },
  },
  {
    value: "16",
    label: "16×",
    get note() {
      return t`16 times faster`;
    },
  },
] as const;
type Speed = (typeof SPEEDS)[number]["value"];

const TICK_MS = 100;
/** Where the system asks for little motion, the run moves on by one stage in this time. */
const STEP_MS = 1_000;

const wantsLittleMotion = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/** Plays a run's events: a slider, play and pause, steps from stage to stage. `shown` is the number of events that are shown. */
export function ReplayBar({
  events,
  shown,
  onShow,
  onClose,
}: {
  events: readonly RunEvent[];
  shown: number;
  onShow: (n: number) => void;
  onClose: () => void;
}) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>("4");
  const atMs = shown === 0 ? 0 : events[shown - 1]!.atMs;
  const latest = useRef({ shown, atMs });
  latest.current = { shown, atMs };
  useEffect(() => {
    if (!playing) return;
    const show = (next: number) => {
      if (next !== latest.current.shown) onShow(next);
      if (next >= events.length) setPlaying(false);
    };
    if (wantsLittleMotion()) {
      const timer = setInterval(() => show(stageStep(events, latest.current.shown, 1)), STEP_MS);
      return () => clearInterval(timer);
    }
    let ms = latest.current.atMs;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      ms += (now - last) * Number(speed);
      last = now;
      show(eventsBy(events, ms));
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [playing, speed, events, onShow]);
  const play = () => {
    if (shown >= events.length) onShow(0);
    setPlaying(!playing);
  };
  const step = (by: 1 | -1) => {
    setPlaying(false);
    onShow(stageStep(events, shown, by));
  };
  return (
    <section aria-label={t`Replay`} className="flex shrink-0 items-center gap-2 border-line border-t px-5 py-1.5">
      <IconButton size="sm" label={t`Previous stage`} onClick={() => step(-1)} disabled={shown === 0}>
        <StepBack size={14} />
      </IconButton>
      <IconButton size="sm" label={playing ? t`Pause` : t`Play`} onClick={play}>
        {playing ? <Pause size={14} /> : <Play size={14} />}
      </IconButton>
      <IconButton size="sm" label={t`Next stage`} onClick={() => step(1)} disabled={shown >= events.length}>
        <StepForward size={14} />
      </IconButton>
      <input
        type="range"
        aria-label={t`Event`}
        aria-valuetext={t`Event ${shown} of ${events.length}, ${clock(atMs)}`}
        min={0}
        max={events.length}
        value={shown}
        onChange={(e) => {
          setPlaying(false);
          onShow(Number(e.target.value));
        }}
        className="min-w-0 flex-1 accent-accent"
      />
      <span className="nums shrink-0 text-fg-3 text-sm">{clock(atMs)}</span>
      <Segmented label={t`Speed`} value={speed} choices={[...SPEEDS]} onChange={setSpeed} />
      <IconButton size="sm" label={t`End replay`} onClick={onClose}>
        <X size={14} />
      </IconButton>
    </section>
  );
}
