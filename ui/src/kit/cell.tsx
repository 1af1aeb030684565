// A value of a result: NULL is marked, numbers are right-aligned.

import { Trans } from "@lingui/react/macro";
import type { CellType } from "../host/bindings";
import { showExactly, type ValueFormatter } from "./show";

export function isNumeric(type: CellType): boolean {
  return type === "integer" || type === "decimal" || type === "float";
}

/** A line break would make the row taller; a mark replaces it. */
export function cellText(value: string): string {
  const line = value.length > 400 ? `${value.slice(0, 400)}…` : value;
  return line.replace(/\r\n|\r|\n/g, " ↵ ");
}

/** `show` is how its column is shown; without it, as it is. */
export function CellValue({ value, show = showExactly }: { value: string | null; show?: ValueFormatter }) {
  if (value === null) return <span className="text-[0.85em] text-fg-3 italic">NULL</span>;
  if (value === "")
    return (
      <span className="text-[0.85em] text-fg-3">
        <Trans>empty</Trans>
      </span>
    );
  return <>{cellText(show(value))}</>;
}
