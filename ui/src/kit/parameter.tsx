import type { ParameterKind, SavedParameter } from "../host/bindings";
import { Input } from "./field";

/** "order_date_from" as a label: "Order date from". */
export function parameterLabel(name: string): string {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Where the value of a parameter is typed. */
export function ParameterInput({
  parameter: { value: own, open },
  kind,
  value,
  label,
  onChange,
}: {
  parameter: Pick<SavedParameter, "value" | "open">;
  kind: ParameterKind;
  value: string;
  /** Where nothing else labels it. */
  label?: string;
  onChange: (value: string) => void;
}) {
  // A date with a time is typed as the query writes it.
  const isDay = kind === "date" && (open ? value === "" || value.length === 10 : own.length === 10);
  return (
    <Input
      aria-label={label}
      type={isDay ? "date" : "text"}
      inputMode={kind === "number" ? "decimal" : undefined}
      maxLength={1000}
      value={value}
      onChange={(e) => onChange(e.target.value)}
    />
  );
}
