// What two runs have in common, in words.

import type { RowsComparison } from "../../host/bindings";
import { count, plural } from "../../kit/format";

/** The line above the rows that differ. */
export function differenceInWords(rows: RowsComparison): string {
  const { same, changedCount, onlyLeftCount, onlyRightCount, key, columnsLeft, columnsRight } = rows;
  const columns = [
    columnsLeft.length > 0 ? `Only the first has ${columnsLeft.join(", ")}.` : "",
    columnsRight.length > 0 ? `Only the second has ${columnsRight.join(", ")}.` : "",
  ].filter(Boolean);
  if (changedCount + onlyLeftCount + onlyRightCount === 0) {
    if (columns.length === 0) return `The results are the same: ${plural(same, "row")}.`;
    return [`The shared columns are the same in all rows.`, ...columns].join(" ");
  }
  const parts = [
    `${count(same)} the same`,
    key.length > 0 ? `${count(changedCount)} with other values` : "",
    `${count(onlyLeftCount)} only in the first`,
    `${count(onlyRightCount)} only in the second`,
  ].filter(Boolean);
  const by =
    key.length > 0 ? `Rows compared by ${key.join(", ")}` : "Whole rows compared, since no column names them";
  return [`${by}: ${parts.join(", ")}.`, ...columns].join(" ");
}
