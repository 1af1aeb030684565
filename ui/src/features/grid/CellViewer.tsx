import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type RefObject, useMemo, useState } from "react";
import type { ResultColumn } from "../../host/bindings";
import { Dialog } from "../../kit/dialog";
import { count } from "../../kit/format";
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
      description={[
        t`Row ${count(row + 1)}`,
        column.type === "nested" ? "JSON" : column.type,
        value && plural([...value].length, { one: "# character", other: "# characters" }),
      ]
        .filter(Boolean)
        .join(", ")}
      width="w-170"
    >
      <div className="mb-2 flex items-center justify-end gap-2">
        {json && (
          <Segmented
            label={t`Layout`}
            value={laidOut ? "indented" : "exact"}
            choices={[
              { value: "indented", label: t`Indented` },
              { value: "exact", label: t`Exact` },
            ]}
            onChange={(next) => setLaidOut(next === "indented")}
          />
        )}
        {value !== null && <CopyButton text={text} label={t`Copy`} />}
      </div>
      {value === null ? (
        <p className="text-fg-3 italic">NULL</p>
      ) : value === "" ? (
        <p className="text-fg-3">
          <Trans>The text is empty.</Trans>
        </p>
      ) : (
        <pre
          dir="auto"
          className="wrap-anywhere max-h-[60vh] select-text overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-sunk p-3 font-mono text-sm"
        >
          {text.slice(0, MOST_DRAWN)}
        </pre>
      )}
      {text.length > MOST_DRAWN && (
        <p className="mt-2 text-fg-3 text-sm">
          <Trans>Only the beginning is shown. Copy it to get the whole value.</Trans>
        </p>
      )}
    </Dialog>
  );
}
