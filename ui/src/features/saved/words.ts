// What saved questions are called.

import { t } from "@lingui/core/macro";
import type { SavedStatus } from "../../host/bindings";
import { lazily } from "../../kit/lazyRecord";

/** A status beside a title. */
export const STATUS_WORDS: Record<SavedStatus, string> = lazily({
  draft: () => t`draft`,
  reviewed: () => t`reviewed`,
  verified: () => t`verified`,
});
