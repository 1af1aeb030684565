import { type RefObject, useMemo, useState } from "react";
import type { ResultColumn } from "../../host/bindings";
import { Dialog } from "../../kit/dialog";
import { count, plural } from "../../kit/format";
import { isJson, prettyJson } from "../../kit/json";
import { Segmented } from "../../kit/segmented";
import { CopyButton } from "../../kit/sqlText";

/** More is not drawn; it can be copied. */
const MOST_DRAWN = 200_000;

/** A whole value, exactly as the database gave it. */
export function CellViewer({
  column,
  value,
  row,
  finalFocus,
  onClose,
}: {
  column: ResultColumn;
  value: string | null;
  /** Its number among the rows that are shown. */
  row: number;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}) {
  const json = useMemo(() => value !== null && isJson(value), [value]);
  const [laidOut, setLaidOut] = useState(true);
  const text = value === null ? "" : json && laidOut ? prettyJson(value) : value;
  return (
    <Dialog
      open
      still
      onClose={onClose}
      finalFocus={finalFocus}
      title={column.name}
      description={`Row ${count(row + 1)}, ${column.type === "nested" ? "JSON" : column.type}${value ? `, ${plural([...value].length, "character")}` : ""}`}
      width="w-170"
    >
      <div className="mb-2 flex items-center justify-end gap-2">
        {json && (
          <Segmented
            label="Layout"
            value={laidOut ? "indented" : "exact"}
            choices={[
              { value: "indented", label: "Indented" },
              { value: "exact", label: "Exact" },
            ]}
            onChange={(next) => setLaidOut(next === "indented")}
          />
        )}
        {value !== null && <CopyButton text={text} label="Copy" />}
      </div>
      {value === null ? (
        <p className="text-fg-3 italic">NULL</p>
      ) : value === "" ? (
        <p className="text-fg-3">The text is empty.</p>
      ) : (
        <pre
          dir="auto"
          className="wrap-anywhere max-h-[60vh] select-text overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-sunk p-3 font-mono text-sm"
        >
          {text.slice(0, MOST_DRAWN)}
        </pre>
      )}
      {text.length > MOST_DRAWN && (
        <p className="mt-2 text-fg-3 text-sm">Only the beginning is shown. Copy gives the whole value.</p>
      )}
    </Dialog>
  );
}
