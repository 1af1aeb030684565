import { cx } from "../../../kit/cx";
import type { Strip, Tone } from "../layout/strip";

export const MARKS: Record<Tone, string> = {
  chosen: "bg-accent-soft text-accent font-medium",
  plain: "bg-hover text-fg-2",
  doubtful: "bg-warn-soft text-warn",
  failed: "text-fg-2 line-through ring-1 ring-edge ring-inset",
};

export const PARTS: Record<Tone, string> = {
  chosen: "bg-accent",
  plain: "bg-edge",
  doubtful: "bg-warn",
  failed: "bg-line-strong",
};

/** The strip of a card. The details of the node say the same in words. */
export function StripPicture({ strip }: { strip: Strip | null }) {
  if (!strip) return null;
  if (strip.kind === "marks") {
    return (
      <span aria-hidden className="graph-strip nums mt-1.5 flex flex-wrap gap-x-0.5 gap-y-0.75">
        {strip.marks.map((mark) => (
          <span
            key={mark.number}
            data-mark={mark.number}
            className={cx(
              "before:content-[attr(data-mark)] flex h-4.25 min-w-4.25 items-center justify-center rounded-sm px-px text-xs leading-none",
              MARKS[mark.tone],
            )}
          />
        ))}
        {strip.more > 0 && (
          <span className="flex h-4.25 items-center text-fg-3 text-xs leading-none">+{strip.more}</span>
        )}
      </span>
    );
  }
  if (strip.kind === "parts") {
    return (
      <span aria-hidden className="graph-strip mt-2.5 flex h-1.5 gap-px overflow-hidden rounded-full">
        {strip.parts.map((part, i) => (
          <span key={i} className={PARTS[part.tone]} style={{ flexGrow: part.part, flexBasis: 0 }} />
        ))}
      </span>
    );
  }
  return (
    <span aria-hidden className="graph-strip mt-1 flex h-4.5 items-end gap-0.5">
      {strip.bars.map((bar, i) => (
        <span
          key={i}
          className={cx("w-3.5 min-w-1 shrink rounded-t-[2px]", bar.back ? "bg-accent" : "bg-edge")}
          style={{ height: `${Math.max(8, bar.part * 100)}%` }}
        />
      ))}
    </span>
  );
}
