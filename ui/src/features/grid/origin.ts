// Where rows come from: a statement that is run again, or a stored table of code.

import { withApproval } from "../../domain/approval";
import { stopListening } from "../../host/asking";
import type { KeptTable, ResultHandle } from "../../host/bindings";
import { host } from "../../host/host";

export type Origin = { warehouse: string; sql: string } | { table: KeptTable };

/** Stops the opening of rows, down to the database. */
export async function stopOrigin(origin: Origin): Promise<void> {
  if ("sql" in origin) await stopListening("rows", origin.warehouse, origin.sql);
}

export function openOrigin(origin: Origin, rowLimit: number): Promise<ResultHandle> {
  return "table" in origin
    ? host().openTable(origin.table, rowLimit)
    : withApproval(origin.warehouse, origin.sql, () => host().openResult(origin.warehouse, origin.sql, rowLimit));
}
