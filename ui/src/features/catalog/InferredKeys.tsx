import type { InferredKeyRow } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Badge } from "../../kit/status";
import { tableLabel } from "./search";
import { decideKey } from "./state";

/** A table's inferred keys: why they are used, and the user's decision. */
export function InferredKeys({ uri, keys }: { uri: string; keys: InferredKeyRow[] }) {
  if (keys.length === 0) return null;
  return (
    <section aria-label="Inferred keys" className="mt-6 max-w-180">
      <h3 className="font-medium">Inferred keys</h3>
      <p className="text-fg-3 text-sm">
        The database does not declare these keys. Queries use them unless you remove them.
      </p>
      <ul className="mt-2">
        {keys.map((row) => (
          <li key={row.id} className="flex items-start gap-3 border-line border-b py-2">
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center gap-2">
                <span className="wrap-anywhere font-medium">{described(row)}</span>
                <Badge tone={row.decision === "confirmed" ? "good" : "plain"}>
                  {row.decision === "struck" ? "removed" : (row.decision ?? "inferred")}
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
  if (row.decision === "struck") {
    return (
      <Button size="sm" aria-label={`Restore ${row.id}`} onClick={() => void decideKey(uri, row, null)}>
        Restore
      </Button>
    );
  }
  return (
    <>
      {row.decision === null && (
        <Button size="sm" aria-label={`Confirm ${row.id}`} onClick={() => void decideKey(uri, row, "confirmed")}>
          Confirm
        </Button>
      )}
      <Button size="sm" aria-label={`Remove ${row.id}`} onClick={() => void decideKey(uri, row, "struck")}>
        Remove
      </Button>
    </>
  );
}

function described({ key }: InferredKeyRow): string {
  const columns = key.columns.join(", ");
  if (!key.references) return `Primary key: ${columns}`;
  const { table, columns: referenced } = key.references;
  return `${columns} references ${tableLabel(table)} (${referenced.join(", ")})`;
}
