import { t } from "@lingui/core/macro";
import type { ColumnUse } from "../../host/bindings";

/** What a query does with a column. */
export const USES: Record<ColumnUse, string> = {
  get shown() {
    return t`shown`;
  },
  get computed() {
    return t`computed with`;
  },
  get filtered() {
    return t`filtered by`;
  },
  get joined() {
    return t`joined on`;
  },
  get grouped() {
    return t`grouped by`;
  },
  get sorted() {
    return t`sorted by`;
  },
};

/** Says that a query is explained as a whole, and why. */
export const wholeQuery = (reason: string) => t`The query is not split into steps: ${reason}.`;
