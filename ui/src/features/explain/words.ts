import { t } from "@lingui/core/macro";
import type { ColumnUse } from "../../host/bindings";
import { lazyRecord } from "../../kit/lazyRecord";

/** The uses of a column in a query. */
export const USES: Record<ColumnUse, string> = lazyRecord({
  shown: () => t`shown`,
  computed: () => t`computed with`,
  filtered: () => t`filtered by`,
  joined: () => t`joined on`,
  grouped: () => t`grouped by`,
  sorted: () => t`sorted by`,
});

/** Says that a query is explained as a whole, and why. */
export const wholeQuery = (reason: string) => t`The query is not split into steps: ${reason}.`;
