import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import type { KeyboardEvent, ReactNode } from "react";
import type { Choice } from "./select";

export interface SegmentedChoice<T extends string> extends Choice<T> {
  icon?: ReactNode;
  /** Why it is disabled. */
  off?: string;
}

/** Two to four choices side by side: radio buttons, of which the arrow keys, Home and End choose one. */
export function Segmented<T extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: T;
  choices: SegmentedChoice<T>[];
  onChange: (value: T) => void;
}) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={onChange}
      onKeyDown={chooseEnd}
      className="inline-flex rounded-md border border-line bg-sunk p-0.5"
    >
      {choices.map((choice) => (
        <Radio.Root
          key={choice.value}
          value={choice.value}
          disabled={choice.off !== undefined}
          title={choice.off ?? choice.note}
          className="inline-flex h-6.5 cursor-default items-center gap-1.5 rounded-sm px-3 text-fg-2 text-sm transition-colors hover:text-fg data-checked:bg-raised data-checked:font-medium data-checked:text-fg data-checked:shadow-card data-disabled:opacity-45"
        >
          {choice.icon}
          {choice.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}

/** Home and End, which Base UI leaves out for radio groups. */
export function chooseEnd(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "Home" && event.key !== "End") return;
  event.preventDefault();
  const enabled = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]:not([data-disabled])')];
  const end = event.key === "Home" ? enabled[0] : enabled.at(-1);
  end?.focus();
  end?.click();
}
