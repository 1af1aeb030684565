// Describes how two runs compare.

import { plural, t } from "@lingui/core/macro";
import type { RowsComparison } from "../../host/bindings";
import { count } from "../../kit/format";

/** The line above the rows that differ. */
export function differenceInWords(rows: RowsComparison): string {
  const { same, changedCount, onlyLeftCount, onlyRightCount, key, columnsLeft, columnsRight } = rows;
  const columns = [
    columnsLeft.length > 0 ? t`Only the first has ${columnsLeft.join(", ")}.` : "",
    columnsRight.length > 0 ? t`Only the second has ${columnsRight.join(", ")}.` : "",
  ].filter(Boolean);
  if (changedCount + onlyLeftCount + onlyRightCount === 0) {
    if (columns.length === 0) return t`The results are the same: ${plural(same, { one: "# row", other: "# rows" })}.`;
    return [t`The shared columns are the same in all rows.`, ...columns].join(" ");
  }
  const parts = [
    t`${count(same)} the same`,
    key.length > 0 ? t`${count(changedCount)} with other values` : "",
    t`${count(onlyLeftCount)} only in the first`,
    t`${count(onlyRightCount)} only in the second`,
  ].filter(Boolean);
  const by =
    key.length > 0 ? t`Rows compared by ${key.join(", ")}` : t`Whole rows compared because no column identifies them`;
  return [`${by}: ${parts.join(", ")}.`, ...columns].join(" ");
}
