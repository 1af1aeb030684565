import { Trans } from "@lingui/react/macro";
import type { Dialect } from "../host/bindings";
import { SqlText } from "../kit/sqlText";

/** A query as it would run, and the hash that an approval is bound to. */
export function ApprovalText({ sql, sha256, dialect }: { sql: string; sha256: string; dialect: Dialect | null }) {
  return (
    <>
      <SqlText sql={sql} dialect={dialect} />
      <p className="wrap-anywhere mt-2 select-text font-mono text-fg-3 text-xs">
        <Trans>SHA-256 {sha256}</Trans>
      </p>
    </>
  );
}
