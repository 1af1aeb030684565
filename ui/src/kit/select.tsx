import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import { cx } from "./cx";

export interface Choice<T extends string> {
  value: T;
  label: string;
  note?: string;
  /** The heading of its group. Adjacent choices of one group share it. */
  group?: string;
}

/** A select box. `quiet` has no border. */
export function Select<T extends string>({
  label,
  value,
  choices,
  onChange,
  quiet,
  className,
}: {
  label: string;
  value: T;
  choices: Choice<T>[];
  onChange: (value: T) => void;
  quiet?: boolean;
  className?: string;
}) {
  const current = choices.find((c) => c.value === value);
  return (
    <Base.Root value={value} onValueChange={(next) => next !== null && onChange(next as T)}>
      <Base.Trigger
        aria-label={label}
        className={cx(
          "inline-flex max-w-full items-center gap-1.5 rounded-md transition-colors",
          quiet
            ? "h-7 px-2 text-fg-2 text-sm hover:bg-hover hover:text-fg data-popup-open:bg-hover"
            : "h-8 justify-between border border-edge bg-raised px-2.5 shadow-card hover:bg-hover",
          className,
        )}
      >
        <span className="truncate">{current?.label ?? value}</span>
        <ChevronDown size={13} className="shrink-0 text-fg-3" aria-hidden />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} align="start" className="z-50">
          <Base.Popup className="pop-in max-h-[min(var(--available-height),35rem)] min-w-(--anchor-width) max-w-88 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop outline-none">
            {grouped(choices).map(([group, members]) =>
              group === undefined ? (
                members.map((choice) => <Item key={choice.value} choice={choice} />)
              ) : (
                <Base.Group key={group} className="mt-1.5 first:mt-0">
                  <Base.GroupLabel className="px-2 pt-1 pb-0.5 font-medium text-fg-3 text-xs">
                    {group}
                  </Base.GroupLabel>
                  {members.map((choice) => (
                    <Item key={choice.value} choice={choice} />
                  ))}
                </Base.Group>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item<T extends string>({ choice }: { choice: Choice<T> }) {
  return (
    <Base.Item
      value={choice.value}
      className="flex items-start gap-2 rounded-md py-1.5 pr-3 pl-2 outline-none data-highlighted:bg-hover"
    >
      <span className="flex h-5 w-3.5 shrink-0 items-center">
        <Base.ItemIndicator>
          <Check size={14} className="text-accent" />
        </Base.ItemIndicator>
      </span>
      <span className="min-w-0">
        <Base.ItemText className="block truncate">{choice.label}</Base.ItemText>
        {choice.note && <span className="block text-fg-3 text-xs">{choice.note}</span>}
      </span>
    </Base.Item>
  );
}

/** Adjacent choices of one group, in their order. */
function grouped<T extends { group?: string }>(choices: T[]): [string | undefined, T[]][] {
  const groups: [string | undefined, T[]][] = [];
  for (const choice of choices) {
    const last = groups.at(-1);
    if (last && last[0] === choice.group) last[1].push(choice);
    else groups.push([choice.group, [choice]]);
  }
  return groups;
}
