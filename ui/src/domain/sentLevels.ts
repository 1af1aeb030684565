// What models behind an address receive, in one wording everywhere.

import { t } from "@lingui/core/macro";
import type { EgressLevel } from "../host/bindings";
import { lazyRecord } from "../kit/lazyRecord";

/** What a level allows, within a sentence. */
export const SENT: Record<EgressLevel, string> = lazyRecord({
  names: () => t`names`,
  comments: () => t`names and comments`,
  profile: () => t`names, comments and statistics`,
  samples: () => t`names, comments, statistics and sample values`,
  results: () => t`names, comments, statistics, sample values and rows of results`,
});

/** What such models receive of a data source for which nothing else was decided. */
export function sentUnlessDecided(): string {
  return t`With each question they receive ${SENT.results} of the data source, unless you allow less under “Privacy”. Values of columns that look personal are masked.`;
}
