// The published methods' parameters as their papers give them: what a question is asked with before the settings are
// read, and what a reset on the settings page goes back to. The same values as `Methods::default` in the program.

import type { Methods } from "../host/bindings";

export const PAPER_METHODS: Methods = {
  "dsr-sql": { samples: 3, probes: 5, steps: null, fixes: 5 },
  "chase-sql": { candidates: null, examples: null, fixes: 3, select: "pairwise", compared: 6 },
  reforce: { votes: 8, rounds: 5, probes: 10, link_above: 50_000, explore: "tie" },
  prospy: { prunings: 3, views: 4, executions: 3, view_rows: 200_000 },
};
