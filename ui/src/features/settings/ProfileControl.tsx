import { t } from "@lingui/core/macro";
import { Check } from "lucide-react";
import type { Effort, ModelProfileInfo, Price, ProfileFacts } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { NumberInput, OptionalNumberInput, Switch } from "../../kit/field";
import { Select } from "../../kit/select";
import { EFFORTS, type Key, LINES, pricingText, SERVER_DECIDES } from "./profile";

/** The control of one line of a profile. `onChange` with null resets the user's value. */
export function ProfileControl({
  of: key,
  label,
  info: { profile },
  onChange,
}: {
  of: Key;
  label: string;
  info: ModelProfileInfo;
  onChange: (value: ProfileFacts[Key] | null) => void;
}) {
  const { control } = LINES[key];
  const value = profile[key];
  // Where a model runs is known, and nothing that could be chosen.
  const runsHere = profile.caching === "kept";
  switch (control.kind) {
    case "tokens":
      return (
        <NumberInput label={label} value={Number(value)} min={control.min} max={control.max} onChange={onChange} />
      );
    case "switch":
      return <Switch label={label} checked={value === true} onChange={onChange} />;
    case "choice":
      return (
        <Select
          label={label}
          className="w-44"
          value={String(value)}
          choices={control.choices.filter((choice) => key !== "caching" || (choice.value === "kept") === runsHere)}
          onChange={(next) => onChange(next as ProfileFacts[Key])}
        />
      );
    case "effort":
      return (
        <Select
          label={label}
          className="w-44"
          value={profile.effort ?? SERVER_DECIDES}
          choices={[
            { value: SERVER_DECIDES, label: t`Model's default` },
            ...profile.efforts.map((effort) => ({ value: effort as string, label: EFFORTS[effort] })),
          ]}
          onChange={(next) => onChange(next === SERVER_DECIDES ? null : (next as Effort))}
        />
      );
    case "efforts":
      return <Levels known={profile.efforts} onChange={onChange} />;
    case "price":
      return <PriceInputs price={profile.price} isFree={runsHere} onChange={onChange} />;
  }
}

function Levels({ known, onChange }: { known: Effort[]; onChange: (efforts: Effort[]) => void }) {
  const all = Object.keys(EFFORTS) as Effort[];
  return (
    <fieldset aria-label={t`Levels of effort`} className="flex max-w-66 flex-wrap justify-end gap-1">
      {all.map((effort) => {
        const on = known.includes(effort);
        return (
          <button
            key={effort}
            type="button"
            aria-pressed={on}
            onClick={() => onChange(all.filter((e) => (e === effort ? !on : known.includes(e))))}
            className={cx(
              "h-6.5 rounded-md border px-2 text-sm transition-colors",
              on
                ? "border-accent-line bg-accent-soft text-accent"
                : "border-line text-fg-3 hover:bg-hover hover:text-fg",
            )}
          >
            {on && <Check size={12} className="mr-1 inline" aria-hidden />}
            {EFFORTS[effort]}
          </button>
        );
      })}
    </fieldset>
  );
}

const PARTS: { part: keyof Price; name: string }[] = [
  {
    part: "input",
    get name() {
      return t`Input`;
    },
  },
  {
    part: "cached",
    get name() {
      return t`Cached input`;
    },
  },
  {
    part: "output",
    get name() {
      return t`Output`;
    },
  },
  {
    part: "cacheWrite",
    get name() {
      return t`Cache write`;
    },
  },
];

function PriceInputs({
  price,
  isFree,
  onChange,
}: {
  price: Price | null;
  /** It runs on this computer. */
  isFree: boolean;
  onChange: (price: Price | null) => void;
}) {
  return (
    <fieldset aria-label={t`Price`} className="grid grid-cols-2 gap-x-2 gap-y-1.5">
      {PARTS.map(({ part, name }) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
        <label key={part} className="block">
          <span className="mb-0.5 block text-right text-fg-3 text-xs">{name}</span>
          <OptionalNumberInput
            label={t`Price: ${name}`}
            empty={isFree ? t`none` : part === "cacheWrite" ? t`same as input` : t`unknown`}
            width="w-21"
            decimals={4}
            value={price?.[part] ?? null}
            min={0}
            max={10_000}
            onChange={(value) => onChange(pricingText(price, part, value))}
          />
        </label>
      ))}
    </fieldset>
  );
}
