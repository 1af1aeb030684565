import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { t } from "@lingui/core/macro";
import { Search, X } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
  useContext,
  useId,
  useMemo,
} from "react";
import { cx } from "./cx";

/** The look of every field. */
export const BOX =
  "w-full text-ellipsis rounded-md border border-edge bg-raised px-2.5 text-fg shadow-card outline-none " +
  "focus:border-accent focus:ring-2 focus:ring-accent/20 disabled:opacity-50";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  const named = useNamed(rest["aria-label"]);
  return <input spellCheck={false} autoComplete="off" {...named} {...rest} className={cx(BOX, "h-8", className)} />;
}

export function Textarea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const named = useNamed(rest["aria-label"]);
  return <textarea {...named} {...rest} className={cx(BOX, "resize-y py-1.5", className)} />;
}

/** Names and explains the control of a field. WebKit would otherwise include the typed text in the accessible name. */
const Named = createContext<{ "aria-labelledby"?: string; "aria-describedby"?: string }>({});

/** A control with a name of its own keeps that. */
function useNamed(own: string | undefined) {
  const named = useContext(Named);
  return own === undefined ? named : undefined;
}

/** A labelled control with an optional line of explanation. */
export function Field({ label, help, children }: { label: string; help?: ReactNode; children: ReactNode }) {
  const id = useId();
  const helped = Boolean(help);
  const named = useMemo(
    () => ({ "aria-labelledby": `${id}-name`, "aria-describedby": helped ? `${id}-help` : undefined }),
    [id, helped],
  );
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="block">
      <span id={`${id}-name`} className="mb-1 block text-sm font-medium text-fg-2">
        {label}
      </span>
      <Named value={named}>{children}</Named>
      {help && (
        <span id={`${id}-help`} className="mt-1 block text-xs text-fg-3">
          {help}
        </span>
      )}
    </label>
  );
}

/** A row of a settings page: text at the left, the control at the right. */
export function SettingRow({ label, help, children }: { label: string; help?: ReactNode; children: ReactNode }) {
  return (
    // A control that leaves no room for its words goes below them.
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-56">
        <div className="font-medium">{label}</div>
        {help && <div className="mt-0.5 max-w-120 text-fg-3 text-sm">{help}</div>}
      </div>
      <div className="max-w-full shrink-0">{children}</div>
    </div>
  );
}

export function SearchInput({
  value,
  onChange,
  placeholder,
  className,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> & {
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <div className={cx("relative", className)}>
      <Search
        size={13}
        className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-fg-3"
        aria-hidden
      />
      <input
        type="text"
        spellCheck={false}
        autoComplete="off"
        value={value}
        aria-label={placeholder}
        placeholder={placeholder}
        onChange={(e) => onChange(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === "Escape" && value !== "") {
            e.stopPropagation();
            onChange("");
          }
        }}
        className="h-7 w-full text-ellipsis rounded-md border border-edge bg-raised pr-7 pl-7 text-sm outline-none focus:border-accent focus:ring-2 focus:ring-accent/20"
        {...rest}
      />
      {value !== "" && (
        <button
          type="button"
          aria-label={t`Clear`}
          onClick={() => onChange("")}
          className="absolute top-1/2 right-1 flex size-5 -translate-y-1/2 items-center justify-center rounded-sm text-fg-3 hover:bg-hover hover:text-fg"
        >
          <X size={12} />
        </button>
      )}
    </div>
  );
}

export function Switch({
  label,
  checked,
  disabled,
  onChange,
}: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <BaseSwitch.Root
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      className="flex h-5 w-9 shrink-0 items-center rounded-full bg-edge p-0.5 transition-colors data-checked:bg-accent data-disabled:opacity-45"
    >
      <BaseSwitch.Thumb className="size-4 rounded-full bg-white shadow-card transition-transform data-checked:translate-x-4" />
    </BaseSwitch.Root>
  );
}

interface NumberProps {
  min: number;
  max: number;
  unit?: string;
  label: string;
  width?: string;
  /** Places after the point; none without it. */
  decimals?: number;
}

/** A number within bounds; the typed value is applied on blur. */
export function NumberInput({
  value,
  onChange,
  ...rest
}: NumberProps & { value: number; onChange: (value: number) => void }) {
  return <NumberBox {...rest} value={value} onChange={(next) => onChange(next ?? value)} />;
}

/** An optional number; `empty` is the placeholder of an empty field. */
export function OptionalNumberInput(
  props: NumberProps & { empty: string; value: number | null; onChange: (value: number | null) => void },
) {
  return <NumberBox {...props} />;
}

function NumberBox({
  value,
  min,
  max,
  unit,
  label,
  empty,
  onChange,
  width = "w-28",
  decimals = 0,
}: NumberProps & { empty?: string; value: number | null; onChange: (value: number | null) => void }) {
  const id = useId();
  const shown = value === null ? "" : String(value);
  return (
    <div className="flex items-center gap-2">
      <span className={width}>
        <Input
          id={id}
          key={shown}
          type="number"
          step={decimals > 0 ? "any" : undefined}
          aria-label={label}
          placeholder={empty}
          min={min}
          max={max}
          defaultValue={shown}
          className="nums text-right"
          onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()}
          onBlur={(e) => {
            // Browsers return an empty string if the text is not a number.
            const text = e.target.validity?.badInput ? "?" : e.target.value;
            const next = numberTyped(text, { min, max, before: value, optional: empty !== undefined, decimals });
            e.target.value = next === null ? "" : String(next);
            if (next !== value) onChange(next);
          }}
        />
      </span>
      {unit && <span className="w-14 text-fg-3 text-sm">{unit}</span>}
    </div>
  );
}

/** Parses a typed number, rounded and clamped; invalid text changes nothing. */
export function numberTyped(
  text: string,
  {
    min,
    max,
    before,
    optional,
    decimals = 0,
  }: { min: number; max: number; before: number | null; optional: boolean; decimals?: number },
): number | null {
  if (text.trim() === "") return optional ? null : before;
  const unit = 10 ** decimals;
  const typed = Math.round(Number(text) * unit) / unit;
  return Number.isFinite(typed) ? Math.min(max, Math.max(min, typed)) : before;
}
