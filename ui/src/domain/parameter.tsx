import { useEffect, useRef, useState } from "react";
import type { ParameterKind, SavedParameter } from "../host/bindings";
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

/** "order_date_from" as a label: "Order date from". */
export function parameterLabel(name: string): string {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DAY = /^\d{4}-\d\d-\d\d$/;

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
  // Other values, such as a date with a time, are typed as text: a date field would hide them but keep them.
  const isDay = kind === "date" && (open || DAY.test(own)) && (value === "" || DAY.test(value));
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
