import type { ColumnUse } from "../../host/bindings";

/** What a query does with a column. */
export const USES: Record<ColumnUse, string> = {
  shown: "shown",
  computed: "computed with",
  filtered: "filtered by",
  joined: "joined on",
  grouped: "grouped by",
  sorted: "sorted by",
};

/** Says that a query is explained as a whole, and why. */
export const wholeQuery = (reason: string) => `The query is not split into steps: ${reason}.`;
