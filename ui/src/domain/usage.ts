// Sums of the usage of model calls and queries.

import type { Usage } from "../host/bindings";

export const NO_USAGE: Usage = {
  llm_calls: 0,
  prompt_tokens: 0,
  cached_prompt_tokens: 0,
  cache_write_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
  db_calls: 0,
  wall_ms: 0,
  first_token_ms: 0,
  micro_usd: 0,
  priced_calls: 0,
  billed_bytes: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    llm_calls: a.llm_calls + b.llm_calls,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    cached_prompt_tokens: a.cached_prompt_tokens + b.cached_prompt_tokens,
    // Logs of earlier versions do not count them.
    cache_write_tokens: a.cache_write_tokens + (b.cache_write_tokens ?? 0),
    completion_tokens: a.completion_tokens + b.completion_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    db_calls: a.db_calls + b.db_calls,
    wall_ms: a.wall_ms + b.wall_ms,
    first_token_ms: (a.first_token_ms ?? 0) + (b.first_token_ms ?? 0),
    // Logs of earlier versions lack what calls cost.
    micro_usd: a.micro_usd + (b.micro_usd ?? 0),
    priced_calls: a.priced_calls + (b.priced_calls ?? 0),
    billed_bytes: (a.billed_bytes ?? 0) + (b.billed_bytes ?? 0),
  };
}
