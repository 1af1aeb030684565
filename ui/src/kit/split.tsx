// Two panes with a separator that can be dragged or moved with the arrow keys; a double click puts it back. Without a second
// pane the first takes all the space; it keeps its state when the second one opens and closes.

import { type ReactNode, useRef } from "react";
import { cx } from "./cx";
import { followPointer } from "./drag";
import { type Pane, setPane, usePanes } from "./panes";

export function Split({
  name,
  direction,
  first,
  second,
  initial,
  min,
  max,
  fixed,
  label,
}: {
  /** The name under which its size is stored. */
  name: Pane;
  direction: "row" | "column";
  first: ReactNode;
  second: ReactNode;
  /** Pixels of the fixed pane. */
  initial: number;
  min: number;
  max: number;
  fixed: "first" | "second";
  label: string;
}) {
  const size = usePanes((s) => s.sizes[name]) ?? initial;
  const setSize = (pixels: number) => setPane(name, pixels);
  const frame = useRef<HTMLDivElement>(null);
  const row = direction === "row";
  const clamp = (n: number) => {
    const whole = frame.current?.getBoundingClientRect();
    const room = whole ? (row ? whole.width : whole.height) - 200 : max;
    return Math.max(min, Math.min(max, room, n));
  };
  const drag = (event: React.PointerEvent) => {
    const start = row ? event.clientX : event.clientY;
    const before = size;
    const sign = fixed === "first" ? 1 : -1;
    followPointer(event, (at) => setSize(clamp(before + sign * ((row ? at.clientX : at.clientY) - start))));
  };
  const alone = second === null || second === undefined || second === false;
  const basis = { flex: `0 0 ${size}px`, maxWidth: row ? "70%" : undefined, maxHeight: row ? undefined : "80%" };
  return (
    <div ref={frame} className={cx("flex min-h-0 min-w-0 flex-1", row ? "flex-row" : "flex-col")}>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col" style={fixed === "first" && !alone ? basis : undefined}>
        {first}
      </div>
      {!alone && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves */}
          <div
            role="separator"
            tabIndex={0}
            aria-label={label}
            aria-orientation={row ? "vertical" : "horizontal"}
            aria-valuenow={size}
            aria-valuemin={min}
            aria-valuemax={max}
            onPointerDown={drag}
            onDoubleClick={() => setSize(initial)}
            onKeyDown={(e) => {
              const grow = fixed === "first" ? ["ArrowRight", "ArrowDown"] : ["ArrowLeft", "ArrowUp"];
              const shrink = fixed === "first" ? ["ArrowLeft", "ArrowUp"] : ["ArrowRight", "ArrowDown"];
              if (grow.includes(e.key)) setSize(clamp(size + 24));
              else if (shrink.includes(e.key)) setSize(clamp(size - 24));
              else return;
              e.preventDefault();
            }}
            className={cx(
              "relative z-10 shrink-0 bg-line transition-colors hover:bg-accent-line focus-visible:bg-accent",
              row
                ? "w-px cursor-col-resize before:absolute before:inset-y-0 before:-left-1 before:w-2.5"
                : "h-px cursor-row-resize before:absolute before:inset-x-0 before:-top-1 before:h-2.5",
            )}
          />
          <div className="flex min-h-0 min-w-0 flex-1 flex-col" style={fixed === "second" ? basis : undefined}>
            {second}
          </div>
        </>
      )}
    </div>
  );
}
