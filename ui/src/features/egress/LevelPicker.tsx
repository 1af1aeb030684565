import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { t } from "@lingui/core/macro";
import { Check } from "lucide-react";
import { useId } from "react";
import type { EgressLevel } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { chooseEnd } from "../../kit/segmented";
import { LEVELS } from "./policy";

/** The levels as a ladder: those before the chosen one are included in it. */
export function LevelPicker({ value, onChange }: { value: EgressLevel; onChange: (level: EgressLevel) => void }) {
  const id = useId();
  const at = LEVELS.findIndex(({ level }) => level === value);
  return (
    <RadioGroup
      aria-label={t`Allowed to send`}
      value={value}
      onValueChange={onChange}
      onKeyDown={chooseEnd}
      className="-mx-2 flex flex-col"
    >
      {LEVELS.map(({ level, title, adds }, index) => (
        <Radio.Root
          key={level}
          value={level}
          aria-labelledby={`${id}-${level}`}
          aria-describedby={`${id}-${level}-adds`}
          className="group flex cursor-default items-start gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover data-checked:bg-accent-soft"
        >
          <span
            aria-hidden
            className={cx(
              "mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full",
              index < at
                ? "text-accent"
                : "border border-(--edge) group-data-checked:border-5 group-data-checked:border-accent",
            )}
          >
            {index < at && <Check size={14} strokeWidth={2.5} />}
          </span>
          <span className="min-w-0">
            <span id={`${id}-${level}`} className={cx("block", index <= at ? "font-medium" : "text-fg-2")}>
              {title}
            </span>
            <span id={`${id}-${level}-adds`} className="block text-fg-3 text-sm">
              {adds}
            </span>
          </span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
