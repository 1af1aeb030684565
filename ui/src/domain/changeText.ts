// Describes the user's changes of an earlier run.

import { t } from "@lingui/core/macro";
import type { RunChange } from "../host/bindings";

/** "the plan", "without orders and customers.email" */
export function changeInWords(change: RunChange): string {
  switch (change.kind) {
    case "question":
      return t`the question`;
    case "rewritten":
      return t`the rewritten question`;
    case "tables": {
      const parts = [
        change.added.length > 0 ? t`with ${change.added.join(", ")}` : "",
        change.dropped.length > 0 ? t`without ${change.dropped.join(", ")}` : "",
      ];
      return parts.filter(Boolean).join(", ") || t`the tables`;
    }
    case "view":
      return t`the view ${change.name}`;
    case "plan":
      return t`the plan`;
    case "reading":
      return t`the interpretation of the question`;
    case "sql":
      return t`the SQL`;
  }
}
