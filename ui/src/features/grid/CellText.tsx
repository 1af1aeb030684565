import { CellValue, cellText } from "../../kit/cell";
import type { ValueFormatter } from "../../kit/show";
import { testContains } from "./filter";
import { markedParts } from "./search";

/** A value as its column shows it, with what was searched for marked. */
export function CellText({ value, show, search }: { value: string | null; show: ValueFormatter; search: string }) {
  if (value === null || value === "") return <CellValue value={value} />;
  const line = cellText(show(value));
  if (search.trim() === "") return <>{line}</>;
  const parts = markedParts(line, search);
  // Found in the exact text only, or beyond what is shown.
  if (parts.length === 1)
    return testContains(search.trim(), show)(value) ? <mark className={MARK}>{line}</mark> : line;
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 0 ? (
          part
        ) : (
          <mark key={i} className={MARK}>
            {part}
          </mark>
        ),
      )}
    </>
  );
}

const MARK = "rounded-xs bg-warn-soft text-warn";
