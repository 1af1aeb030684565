import { t } from "@lingui/core/macro";
import { type Ref, useEffect, useRef, useState } from "react";
import type { ParameterBound, ParameterKind, SavedParameter } from "../host/bindings";
import { host } from "../host/host";
import { Input } from "../kit/field";

/** Pause in typing before a query is parsed again, in milliseconds. */
const PAUSE = 400;

/**
 * The parameters of a query, parsed again when typing pauses. The last known ones if parsing fails; null if there are none.
 * `unread` is true if the current text could not be parsed: it cannot be proven, or its database is unavailable.
 */
export function useParameters(
  warehouse: string,
  sql: string,
  wanted = true,
): { found: SavedParameter[] | null; unread: boolean } {
  const [found, setFound] = useState<SavedParameter[] | null>(null);
  const [unread, setUnread] = useState(false);
  const known = useRef(false);
  known.current = found !== null;
  useEffect(() => {
    if (!wanted) {
      setFound(null);
      setUnread(false);
      return;
    }
    let here = true;
    const ask = () =>
      host()
        .queryParameters(warehouse, sql)
        .then((parameters) => {
          if (!here) return;
          setFound(parameters);
          setUnread(false);
        })
        .catch(() => here && setUnread(true));
    const timer = setTimeout(() => void ask(), known.current ? PAUSE : 0);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [warehouse, sql, wanted]);
  return { found, unread };
}

/** Names of parts of dates, which the program gives to a constant that is compared with one. */
const DATE_PARTS = ["year", "quarter", "month", "week", "day"];

/** Returns whether a parameter is a date or a part of one. */
export function isTimeParameter({ kind, name }: SavedParameter): boolean {
  return kind === "date" || DATE_PARTS.includes(name.replace(/_\d+$/, ""));
}

/** "order_date_to" as a label: "Order date before" or "Order date up to", by its operator if that is known. */
export function parameterLabel(name: string, bound: ParameterBound | null = null): string {
  const [, column = name, number] = /^(.+?)(?:_(?:from|to))?(?:_(\d+))?$/.exec(bound === null ? "" : name) ?? [];
  // The second bound of a year is "year_2".
  const counted = number === undefined || DATE_PARTS.includes(column) ? column : `${column} ${number}`;
  const words = counted.replaceAll("_", " ").trim();
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  switch (bound) {
    case null:
      return label;
    case "from":
      return t({ message: `${label} from`, context: "lower bound of a column" });
    case "after":
      return t({ message: `${label} after`, context: "lower bound of a column" });
    case "before":
      return t({ message: `${label} before`, context: "upper bound of a column" });
    case "upTo":
      return t({ message: `${label} up to`, context: "upper bound of a column" });
  }
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Where the value of a parameter is typed. */
export function ParameterInput({
  parameter: { value: own, open },
  kind,
  value,
  label,
  ref,
  onChange,
}: {
  parameter: Pick<SavedParameter, "value" | "open">;
  kind: ParameterKind;
  value: string;
  /** Where nothing else labels it. */
  label?: string;
  ref?: Ref<HTMLInputElement>;
  onChange: (value: string) => void;
}) {
  // Other values, such as a date with a time, are typed as text: a date field would hide them but keep them.
  const isDay = kind === "date" && (open || DAY.test(own)) && (value === "" || DAY.test(value));
  return (
    <Input
      ref={ref}
      aria-label={label}
      type={isDay ? "date" : "text"}
      inputMode={kind === "number" ? "decimal" : undefined}
      maxLength={1000}
      value={value}
      onChange={(e) => onChange(e.target.value)}
    />
  );
}
