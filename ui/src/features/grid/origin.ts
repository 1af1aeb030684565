// Where rows can be had: a statement that is run again, or a table that code gave and that is kept.

import type { CsvRequest, KeptTable, ResultHandle } from "../../host/bindings";
import { host } from "../../host/host";

export type Origin = Pick<CsvRequest, "warehouse" | "sql"> | { table: KeptTable };

export function openOrigin(origin: Origin, rowLimit: number): Promise<ResultHandle> {
  return "table" in origin
    ? host().openTable(origin.table, rowLimit)
    : host().openResult(origin.warehouse, origin.sql, rowLimit);
}
