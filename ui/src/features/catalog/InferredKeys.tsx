import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useRef } from "react";
import type { InferredKeyRow } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Badge } from "../../kit/status";
import { tableLabel } from "./search";
import { decideKey } from "./state";

/** A table's inferred keys: why they are used, and the user's decision. */
export function InferredKeys({ uri, keys }: { uri: string; keys: InferredKeyRow[] }) {
  if (keys.length === 0) return null;
  return (
    <section aria-label={t`Inferred keys`} className="mt-6 max-w-180">
      <h3 className="font-medium">
        <Trans>Inferred keys</Trans>
      </h3>
      <p className="text-fg-3 text-sm">
        <Trans>The database does not declare these keys. Queries use them unless you remove them.</Trans>
      </p>
      <ul className="mt-2">
        {keys.map((row) => (
          <li key={row.id} className="flex items-start gap-3 border-line border-b py-2">
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center gap-2">
                <span className="wrap-anywhere font-medium">{describeKey(row)}</span>
                <Badge tone={row.decision === "confirmed" ? "good" : "plain"}>
                  {row.decision === "struck"
                    ? t`removed`
                    : row.decision === "confirmed"
                      ? t({ message: "confirmed", context: "an inferred key, by the user" })
                      : t`inferred`}
                </Badge>
              </span>
              <span className="wrap-anywhere block text-fg-3 text-sm">{row.key.reason}</span>
            </span>
            <Decisions uri={uri} row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Decisions({ uri, row }: { uri: string; row: InferredKeyRow }) {
  const other = useRef<HTMLButtonElement>(null);
  const struck = row.decision === "struck";
  return (
    <>
      {row.decision === null && (
        <Button
          size="sm"
          aria-label={t`Confirm ${row.id}`}
          onClick={() => {
            // This one leaves.
            other.current?.focus();
            void decideKey(uri, row, "confirmed");
          }}
        >
          <Trans>Confirm</Trans>
        </Button>
      )}
      <Button
        ref={other}
        size="sm"
        aria-label={struck ? t`Restore ${row.id}` : t`Remove ${row.id}`}
        onClick={() => void decideKey(uri, row, struck ? null : "struck")}
      >
        {struck ? <Trans>Restore</Trans> : <Trans>Remove</Trans>}
      </Button>
    </>
  );
}

function describeKey({ key }: InferredKeyRow): string {
  const columns = key.columns.join(", ");
  if (!key.references) return t`Primary key: ${columns}`;
  const { table, columns: referenced } = key.references;
  return t`${columns} references ${tableLabel(table)} (${referenced.join(", ")})`;
}
