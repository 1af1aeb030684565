// Texts of saved questions.

import { t } from "@lingui/core/macro";
import type { SavedStatus } from "../../host/bindings";
import { lazyRecord } from "../../kit/lazyRecord";

/** A status beside a title. */
export const STATUS_WORDS: Record<SavedStatus, string> = lazyRecord({
  draft: () => t`draft`,
  reviewed: () => t`reviewed`,
  verified: () => t`verified`,
});
