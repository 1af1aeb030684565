import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FileText } from "lucide-react";
import { useState } from "react";
import type { FileReading, SetAsideReason } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Disclosure } from "../../kit/disclosure";
import { lazyRecord } from "../../kit/lazyRecord";
import { Badge } from "../../kit/status";
import { FileOptionsDialog } from "./FileOptionsDialog";

const REASONS: Record<SetAsideReason, string> = lazyRecord({
  total: () => t`total`,
  subtotal: () => t`subtotal`,
  footnote: () => t`note`,
  comment: () => t`comment`,
  names: () => t`repeated header`,
  units: () => t`units`,
});

/** Shows how a table was read from its file: conversions, rows set aside, and doubts. */
export function FileSection({ uri, reading, columns }: { uri: string; reading: FileReading; columns: string[] }) {
  const [open, setOpen] = useState(false);
  const { setAside: aside, skipped, converted, doubts } = reading;
  return (
    <section aria-label={t`File`} className="mt-3 max-w-180 rounded-lg border border-line px-3 py-2">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 text-sm">
          <p className="flex items-center gap-1.5 font-medium">
            <FileText size={14} className="shrink-0 text-fg-3" aria-hidden />
            <span className="wrap-anywhere">
              {reading.sheet ? `${reading.file} · ${reading.sheet}` : reading.file}
            </span>
          </p>
          <p className="text-fg-3">{readingFacts(reading).join(" · ")}</p>
        </div>
        <Button size="sm" onClick={() => setOpen(true)}>
          <Trans>Change…</Trans>
        </Button>
      </div>
      {doubts.map((doubt) => (
        <p key={doubt} className="wrap-anywhere mt-1.5 text-sm text-warn">
          {doubt}
        </p>
      ))}
      {aside.length > 0 && (
        <Disclosure
          className="mt-1.5"
          title={t`${plural(aside.length, { one: "# row", other: "# rows" })} set aside`}
          open={aside.length <= 5}
        >
          <ul aria-label={t`Rows set aside`}>
            {aside.map((row) => (
              <li key={row.row} className="flex items-baseline gap-2 py-0.5 text-sm">
                <span className="nums shrink-0 text-fg-3 text-xs">
                  <Trans>row {row.row}</Trans>
                </span>
                <Badge>{REASONS[row.reason]}</Badge>
                <span className="wrap-anywhere text-fg-2">{row.text}</span>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      {skipped.length > 0 && (
        <Disclosure
          className="mt-1.5"
          title={t`${plural(skipped.length, { one: "# row", other: "# rows" })} above the header`}
        >
          <ul>
            {skipped.map((row) => (
              <li key={row.row} className="flex items-baseline gap-2 py-0.5 text-sm">
                <span className="nums shrink-0 text-fg-3 text-xs">
                  <Trans>row {row.row}</Trans>
                </span>
                <span className="wrap-anywhere text-fg-2">{row.text}</span>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      {converted.length > 0 && (
        <Disclosure
          className="mt-1.5"
          title={t`${plural(converted.length, { one: "# column", other: "# columns" })} converted`}
        >
          <ul>
            {converted.map(({ column, how }) => (
              <li key={column} className="wrap-anywhere py-0.5 text-fg-2 text-sm">
                <span className="font-medium">{column}</span>: {how}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      {open && <FileOptionsDialog uri={uri} reading={reading} columns={columns} onClose={() => setOpen(false)} />}
    </section>
  );
}

/** Files of the folder that were not read, each with the reason. */
export function FilesLeftOut({ readings }: { readings: FileReading[] }) {
  const leftOut = readings.filter((reading) => reading.leftOut !== null);
  if (leftOut.length === 0) return null;
  return (
    <Disclosure
      className="mt-1.5 text-sm"
      title={t`${plural(leftOut.length, { one: "# file", other: "# files" })} not read`}
      open={leftOut.length <= 2}
    >
      <ul aria-label={t`Files not read`}>
        {leftOut.map(({ file, leftOut: why }) => (
          <li key={file} className="wrap-anywhere py-0.5 text-warn">
            <span className="font-medium">{file}</span>: {why}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function readingFacts(reading: FileReading): string[] {
  const delimiter = reading.delimiter === "\t" ? t`tab` : reading.delimiter;
  return [
    reading.encoding,
    delimiter ? t`delimiter ${delimiter}` : null,
    reading.decimal === "comma" ? t`decimal comma` : reading.decimal === "point" ? t`decimal point` : null,
    reading.dateOrder === "dayFirst" ? t`day first` : reading.dateOrder === "monthFirst" ? t`month first` : null,
    reading.headerRow
      ? t`header in row ${reading.headerRow}`
      : // Records of JSON have keys and no row of names.
        reading.sheet || reading.encoding
        ? t`no header`
        : null,
  ].filter((fact) => fact !== null);
}
