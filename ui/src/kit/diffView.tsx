import { plural } from "@lingui/core/macro";
import { Fragment, useState } from "react";
import type { Dialect } from "../host/bindings";
import { cx } from "./cx";
import { type DiffRow, diffLines, foldSame } from "./lineDiff";
import { sqlSpans } from "./sqlText";

/** Two statements side by side, line by line; long stretches without a change are folded. */
export function DiffView({
  before,
  after,
  labels,
  dialect,
}: {
  before: string;
  after: string;
  labels: [string, string];
  dialect: Dialect | null;
}) {
  const parts = foldSame(diffLines(before, after));
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <div className="flex border-line border-b bg-sunk font-medium text-fg-2 text-xs">
        <div className="flex-1 basis-0 px-3 py-1.5">{labels[0]}</div>
        <div className="flex-1 basis-0 border-line border-l px-3 py-1.5">{labels[1]}</div>
      </div>
      {parts.map((part, i) => (
        <Fragment key={i}>
          {part.folded ? <Folded rows={part.rows} dialect={dialect} /> : <Rows rows={part.rows} dialect={dialect} />}
        </Fragment>
      ))}
    </div>
  );
}

function Folded({ rows, dialect }: { rows: DiffRow[]; dialect: Dialect | null }) {
  const [open, setOpen] = useState(false);
  if (open) return <Rows rows={rows} dialect={dialect} />;
  return (
    <button
      type="button"
      onClick={() => setOpen(true)}
      className="block w-full bg-sunk px-3 py-0.5 text-left text-fg-3 text-xs hover:bg-hover hover:text-fg"
    >
      {plural(rows.length, { one: "# unchanged line", other: "# unchanged lines" })}
    </button>
  );
}

function Rows({ rows, dialect }: { rows: DiffRow[]; dialect: Dialect | null }) {
  const cell = (text: string | null, changed: boolean, tone: string) => (
    <pre
      className={cx(
        "wrap-anywhere min-h-5 flex-1 basis-0 whitespace-pre-wrap px-3 font-mono text-xs leading-5",
        text === null ? "bg-sunk" : changed && tone,
      )}
    >
      {text === null ? "" : sqlSpans(text, dialect)}
    </pre>
  );
  return rows.map((row, i) => (
    <div key={i} className="flex">
      {cell(row.left, row.kind !== "same", "bg-bad-soft")}
      <div className="w-px bg-line" />
      {cell(row.right, row.kind !== "same", "bg-good-soft")}
    </div>
  ));
}
