import { Popover } from "@base-ui/react/popover";
import { t } from "@lingui/core/macro";
import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../../kit/button";
import { cx } from "../../../kit/cx";
import { lazyRecord } from "../../../kit/lazyRecord";
import { type Status, StatusIcon, statusLabel } from "../../../kit/status";
import { type Strip, stripOf, type Tone } from "../layout/strip";
import type { RunModel } from "../model/model";
import { isAside } from "../model/trajectory";
import { MARKS, PARTS } from "./StripPicture";

/** Explains the marks of this run's cards; lists only marks that occur. */
export function Legend({ run }: { run: RunModel }) {
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <IconButton size="sm" label={t`Legend`}>
            <Info size={14} />
          </IconButton>
        }
      />
      <Popover.Portal>
        <Popover.Positioner side="top" align="start" sideOffset={8} className="z-50">
          <Popover.Popup
            aria-label={t`Legend`}
            className="pop-in flex w-70 flex-col gap-2 rounded-lg border border-line bg-raised p-3 text-sm shadow-pop outline-none"
          >
            {entriesOf(run).map(({ mark, words }) => (
              <div key={words} className="flex items-center gap-3">
                <span className="flex w-9 shrink-0 items-center justify-center">{mark}</span>
                <span>{words}</span>
              </div>
            ))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const ATTEMPTS: Record<Tone, string> = lazyRecord({
  chosen: () => t`Attempt that gave the answer`,
  plain: () => t`Attempt that gave another result`,
  doubtful: () => t`Attempt without rows`,
  failed: () => t`Attempt that failed`,
});

const VOTES: Record<Tone, string> = lazyRecord({
  chosen: () => t`Share of the attempts that gave the answer`,
  plain: () => t`Share of the attempts that gave another result`,
  doubtful: () => t`Share of the attempts with a doubtful result`,
  failed: () => t`Share of the attempts that failed`,
});

interface Entry {
  mark: ReactNode;
  words: string;
}

function entriesOf(run: RunModel): Entry[] {
  const statuses = [...new Set([...run.stages, ...run.views].map((n): Status => n.status))];
  const strips = run.stages.map((s) => stripOf(run, s)).filter((s): s is Strip => s !== null);
  const tones = (kind: "marks" | "parts") => {
    const of = new Set(
      strips.flatMap((s): Tone[] => {
        if (s.kind !== kind) return [];
        return s.kind === "marks" ? s.marks.map((m) => m.tone) : s.kind === "parts" ? s.parts.map((m) => m.tone) : [];
      }),
    );
    return (["chosen", "plain", "doubtful", "failed"] as const).filter((t) => of.has(t));
  };
  return [
    ...statuses.map((status) => ({ mark: <StatusIcon status={status} size={14} />, words: statusLabel(status) })),
    ...tones("marks").map((tone) => ({
      mark: (
        <span
          className={cx("nums flex h-4.25 min-w-4.25 items-center justify-center rounded-sm text-xs", MARKS[tone])}
        >
          1
        </span>
      ),
      words: ATTEMPTS[tone],
    })),
    ...tones("parts").map((tone) => ({
      mark: <span className={cx("h-1.5 w-9 rounded-full", PARTS[tone])} />,
      words: VOTES[tone],
    })),
    ...(strips.some((s) => s.kind === "funnel")
      ? [
          {
            mark: (
              <span className="flex h-4.5 items-end gap-0.5">
                {["h-full", "h-2/3", "h-1/3"].map((height) => (
                  <span key={height} className={cx("w-2.5 rounded-t-[2px] bg-edge", height)} />
                ))}
              </span>
            ),
            words: t`Tables and columns left after each round`,
          },
        ]
      : []),
    ...(run.stages.some(isAside)
      ? [{ mark: <span className="w-9 border-edge border-t-2 border-dashed" />, words: t`Only explored the data` }]
      : []),
  ];
}
