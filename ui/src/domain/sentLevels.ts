// The data that remote models receive, in one wording everywhere.

import { t } from "@lingui/core/macro";
import type { EgressLevel } from "../host/bindings";
import { lazyRecord } from "../kit/lazyRecord";

/** The data that a level allows, within a sentence. */
export const SENT: Record<EgressLevel, string> = lazyRecord({
  names: () => t`names`,
  comments: () => t`names and comments`,
  profile: () => t`names, comments and statistics`,
  samples: () => t`names, comments, statistics and sample values`,
  results: () => t`names, comments, statistics, sample values and rows of results`,
});

/** The default for a data source. */
export function sentUnlessDecided(): string {
  return t`With each question they receive ${SENT.results} of the data source, unless you allow less under “Privacy”. Values of columns that look personal are masked.`;
}
