import { t } from "@lingui/core/macro";
import { useEffect, useState } from "react";
import { dollars } from "../../domain/money";
import type { Dialect, SqlCheck } from "../../host/bindings";
import { host } from "../../host/host";
import { bytes } from "../../kit/format";
import { fillValues, useTyped } from "./values";

/** Pause in typing before the database is asked, in milliseconds. */
const PAUSE = 700;

/** Engines that estimate how much a query would read. Others are not asked: some would start a cluster and return nothing. */
const TELLING: ReadonlySet<Dialect> = new Set(["bigquery", "clickhouse", "snowflake"]);

/**
 * Shows how much a query would read with its parameters, if the database estimates that without running it, and only while
 * the user does not type.
 */
export function ReadEstimate({
  draftKey,
  sql,
  dialect,
  warehouse,
}: {
  draftKey: string;
  sql: string;
  dialect: Dialect | null;
  warehouse: string;
}) {
  const [check, setCheck] = useState<SqlCheck | null>(null);
  const typed = useTyped(draftKey);
  const isTold = dialect !== null && TELLING.has(dialect);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or value, another estimate
  useEffect(() => {
    setCheck(null);
    if (!isTold) return;
    let current = true;
    const ask = async () => {
      // Errors of the query are shown when it runs.
      const check = await fillValues(draftKey, warehouse, sql)
        .then((query) => host().checkSql(query.sql, warehouse))
        .catch(() => null);
      if (current) setCheck(check);
    };
    const timer = setTimeout(() => void ask(), PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [draftKey, sql, isTold, warehouse, typed]);
  if (check?.bytes == null) return null;
  return <p className="shrink-0 px-6 pt-1.5 text-fg-3 text-sm">{estimateText(check.bytes, check.money, dialect)}</p>;
}

/** BigQuery bills bytes read; elsewhere the cost follows from the user's price. */
function estimateText(size: number, money: number | null, dialect: Dialect | null): string {
  const read = bytes(size);
  if (money === null) return t`Would read ${read}.`;
  if (dialect !== "bigquery") return t`Would read ${read}, ${dollars(money)} at your price.`;
  return money === 0 ? t`Would read ${read}, free of charge.` : t`Would read ${read}, billed for ${dollars(money)}.`;
}
