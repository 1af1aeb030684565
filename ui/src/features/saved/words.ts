// What saved questions are called.

import { t } from "@lingui/core/macro";
import type { SavedStatus } from "../../host/bindings";

/** A status beside a title. */
export const STATUS_WORDS: Record<SavedStatus, string> = {
  get draft() {
    return t`draft`;
  },
  get reviewed() {
    return t`reviewed`;
  },
  get verified() {
    return t`verified`;
  },
};
