import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import { dollars } from "../../domain/money";
import type { Scans, ScansRow } from "../../host/bindings";
import { host } from "../../host/host";
import { bytes } from "../../kit/format";
import { capText, meteringOf } from "./billing";
import { kindOf } from "./connection";

/** Bytes that queries of a connection were billed for or read this month, and the limits. */
export function ScansPart({ uri }: { uri: string }) {
  const [scans, setScans] = useState<Scans | null>(null);
  useEffect(() => {
    let gone = false;
    host()
      .scans(null)
      .then(
        (read) => !gone && setScans(read),
        // The rest of the section does not depend on it.
        () => {},
      );
    return () => {
      gone = true;
    };
  }, []);
  const row = scans?.rows.find((known) => known.warehouse === uri);
  if (!scans) return null;
  const [question, month, all] = [row?.limits.question, row?.limits.month, scans.all].map((cap) =>
    cap ? capText(cap) : "",
  );
  const limits = [
    question && t`${question} per question`,
    month && t`${month} per month`,
    all && t`${all} per month for all connections`,
  ].filter((limit) => limit);
  const billed = meteringOf(kindOf(uri)) === "billed";
  return (
    <section
      aria-label={billed ? t`Billed queries` : t`Data read by queries`}
      className="rounded-lg bg-sunk px-4 py-3 text-fg-2"
    >
      <p>
        {row && row.queries > 0
          ? countedText(row, scans.month, billed)
          : billed
            ? t`No query was billed in ${scans.month}.`
            : t`No query was counted in ${scans.month}.`}
      </p>
      {limits.length > 0 && (
        <p className="text-fg-3 text-sm">
          <Trans>Limits: {limits.join(", ")}.</Trans>
        </p>
      )}
    </section>
  );
}

function countedText(row: ScansRow, month: string, billed: boolean): string {
  const queries = plural(row.queries, { one: "# query", other: "# queries" });
  if (billed) return t`${queries} in ${month}: billed for ${bytes(row.bytes)}, ${dollars(row.money)}.`;
  return row.limits.price === null
    ? t`${queries} in ${month}: ${bytes(row.bytes)} read.`
    : t`${queries} in ${month}: ${bytes(row.bytes)} read, ${dollars(row.money)} at your price.`;
}
