import { t } from "@lingui/core/macro";
import { useEffect, useState } from "react";
import type { SqlCheck } from "../../host/bindings";
import { host } from "../../host/host";
import { bytes } from "../../kit/format";
import { dollars } from "../../kit/money";

/** How long nothing is typed before the database is asked. */
const PAUSE = 700;

/** How much a query would read, where the database estimates that: asked without running it, while nobody types. */
export function ReadEstimate({
  sql,
  warehouse,
  fill,
}: {
  sql: string;
  warehouse: string;
  /** The query with the values of its parameters. */
  fill: (sql: string) => Promise<string>;
}) {
  const [check, setCheck] = useState<SqlCheck | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says when
  useEffect(() => {
    setCheck(null);
    let current = true;
    const ask = async () => {
      // What is wrong with the query is told when it runs.
      const check = await fill(sql)
        .then((filled) => host().checkSql(filled, warehouse))
        .catch(() => null);
      if (current) setCheck(check);
    };
    const timer = setTimeout(() => void ask(), PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [sql, warehouse]);
  if (check?.bytes == null) return null;
  const read = bytes(check.bytes);
  const text =
    check.money == null
      ? t`Would read ${read}.`
      : check.money === 0
        ? t`Would read ${read}, billed for nothing.`
        : t`Would read ${read}, billed for ${dollars(check.money)}.`;
  return <p className="shrink-0 px-6 pt-1.5 text-fg-3 text-sm">{text}</p>;
}
