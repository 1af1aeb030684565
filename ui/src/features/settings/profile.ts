// A model's profile line by line: what each says, how it is set, and where it comes from.

import { t } from "@lingui/core/macro";
import type {
  Effort,
  ModelProfileInfo,
  Price,
  ProfileFacts,
  ProfileFinding,
  ProfileLine,
  ServedModel,
} from "../../host/bindings";
import { compact } from "../../kit/format";
import { lazyRecord } from "../../kit/lazyRecord";
import type { Choice } from "../../kit/select";

export type Key = keyof ProfileFacts;

type Control =
  | { kind: "tokens"; min: number; max: number }
  | { kind: "switch" }
  | { kind: "choice"; choices: Choice<string>[] }
  | { kind: "efforts" }
  | { kind: "effort" }
  | { kind: "price" };

export interface LineLook {
  label: string;
  help: string;
  control: Control;
}

export const EFFORTS: Record<Effort, string> = lazyRecord({
  none: () => t`None`,
  minimal: () => t`Minimal`,
  low: () => t`Low`,
  medium: () => t`Medium`,
  high: () => t`High`,
  xhigh: () => t`Very high`,
  max: () => t`Highest`,
});

/** The option without a level. */
export const SERVER_DECIDES = "";

const yesNo = { kind: "switch" } as const;

export const LINES: Record<Key, LineLook> = lazyRecord({
  contextTokens: () => ({
    label: t`Context`,
    help: t`Prompt and reply combined, in tokens.`,
    control: { kind: "tokens", min: 1024, max: 10_000_000 },
  }),
  replyTokens: () => ({
    label: t`Maximum reply length`,
    help: t`In tokens, including reasoning.`,
    control: { kind: "tokens", min: 64, max: 10_000_000 },
  }),
  chunkBudget: () => ({
    label: t`Table descriptions per prompt`,
    help: t`Tokens for descriptions of tables. More tables are split over several prompts.`,
    control: { kind: "tokens", min: 256, max: 10_000_000 },
  }),
  deliberates: () => ({
    label: t`Benefits from reasoning`,
    help: t`Gets long instructions and room to reason. Small models do worse with both.`,
    control: yesNo,
  }),
  reasoning: () => ({
    label: t`Built-in reasoning`,
    help: t`How the model reasons before it answers.`,
    control: {
      kind: "choice",
      choices: [
        {
          value: "none",
          get label() {
            return t`No`;
          },
        },
        {
          value: "text",
          get label() {
            return t`In the reply`;
          },
        },
        {
          value: "hidden",
          get label() {
            return t`Hidden`;
          },
        },
      ],
    },
  }),
  effort: () => ({
    label: t`Effort`,
    help: t`How much the model reasons. More takes longer and costs more.`,
    control: { kind: "effort" },
  }),
  efforts: () => ({
    label: t`Levels of effort`,
    help: t`The levels it supports.`,
    control: { kind: "efforts" },
  }),
  price: () => ({
    label: t`Price`,
    help: t`US dollars per million tokens. Most providers charge less for cached tokens; some charge more for writing to the cache.`,
    control: { kind: "price" },
  }),
  schema: () => ({
    label: t`Structured output`,
    help: t`Replies can be constrained to a JSON Schema.`,
    control: {
      kind: "choice",
      choices: [
        {
          value: "none",
          get label() {
            return t`No`;
          },
        },
        {
          value: "lenient",
          get label() {
            return t`Yes`;
          },
        },
        {
          value: "strict",
          get label() {
            return t`Strict schemas only`;
          },
        },
      ],
    },
  }),
  grammar: () => ({
    label: t`Grammar`,
    help: t`Replies can be constrained to a grammar.`,
    control: yesNo,
  }),
  stop: () => ({
    label: t`Stop sequences`,
    help: t`A reply ends at a given text.`,
    control: yesNo,
  }),
  prefill: () => ({
    label: t`Prefilled replies`,
    help: t`The start of a reply can be given.`,
    control: yesNo,
  }),
  samples: () => ({
    label: t`Several replies at once`,
    help: t`One call returns several replies.`,
    control: yesNo,
  }),
  seeded: () => ({
    label: t`Reproducible`,
    help: t`The same request and seed give the same reply.`,
    control: yesNo,
  }),
  tokenProbabilities: () => ({
    label: t`Token probabilities`,
    help: t`Used to estimate how certain an answer is.`,
    control: yesNo,
  }),
  caching: () => ({
    label: t`Prompt caching`,
    help: t`The repeated start of a prompt is not processed again, or costs less.`,
    control: {
      kind: "choice",
      choices: [
        {
          value: "none",
          get label() {
            return t`No`;
          },
        },
        {
          value: "automatic",
          get label() {
            return t`Automatic`;
          },
        },
        {
          value: "marked",
          get label() {
            return t`Where marked`;
          },
        },
        {
          value: "kept",
          get label() {
            return t`On this computer`;
          },
        },
      ],
    },
  }),
  endpoint: () => ({
    label: t`Interface`,
    help: t`Some OpenAI models only support the newer one.`,
    control: {
      kind: "choice",
      choices: [
        {
          value: "chat",
          label: "Chat Completions",
        },
        {
          value: "responses",
          get label() {
            return t`Responses`;
          },
        },
      ],
    },
  }),
});

export const GROUPS: { title: string; keys: Key[] }[] = [
  {
    get title() {
      return t`Size`;
    },
    keys: ["contextTokens", "replyTokens", "chunkBudget"],
  },
  {
    get title() {
      return t`Reasoning`;
    },
    keys: ["effort", "efforts", "reasoning", "deliberates"],
  },
  {
    get title() {
      return t`Cost`;
    },
    keys: ["price", "caching"],
  },
  {
    get title() {
      return t`Capabilities`;
    },
    keys: ["schema", "grammar", "stop", "prefill", "samples", "seeded", "tokenProbabilities", "endpoint"],
  },
];

/** The key of a line that the program names as files do: `context_tokens`. */
function keyOf(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function lineOf(info: ModelProfileInfo, key: Key): ProfileLine | undefined {
  return info.lines.find((line) => keyOf(line.name) === key);
}

export function findingOf(findings: ProfileFinding[], key: Key): ProfileFinding | undefined {
  return findings.find((finding) => keyOf(finding.name) === key);
}

/** Where a line comes from, in a few words. */
export function sourceInWords(
  info: ModelProfileInfo,
  line: ProfileLine | undefined,
  day: (iso: string) => string,
): string {
  switch (line?.source) {
    case "said":
      return t`Set by you`;
    case "probed":
      return info.probedOn ? t`Tested, ${day(info.probedOn)}` : t`Tested`;
    case "declared":
      return t`Known, ${day(info.declaredOn)}`;
    case "run":
      return t`As run here`;
    case "derived":
      return t`From the context`;
    default:
      return t`Assumed`;
  }
}

/** Returns the user's values with one changed; null resets it. */
export function withFact<K extends Key>(said: ProfileFacts, key: K, value: ProfileFacts[K] | null): ProfileFacts {
  const { [key]: _, ...rest } = said;
  return value === null ? rest : { ...rest, [key]: value };
}

/** A price with one part changed; null once no part is left. */
export function pricingText(price: Price | null, part: keyof Price, value: number | null): Price | null {
  const next: Price = {
    input: 0,
    cached: 0,
    output: 0,
    ...price,
    [part]: part === "cacheWrite" ? value : (value ?? 0),
  };
  return next.input === 0 && next.cached === 0 && next.output === 0 ? null : next;
}

/** Describes a model in a list. */
export function servedInWords({ title, facts }: ServedModel): string {
  const { contextTokens, price } = facts;
  return [
    title,
    contextTokens ? t`${compact(contextTokens)} context` : null,
    price ? t`$${price.input} in, $${price.output} out per million` : null,
  ]
    .filter(Boolean)
    .join(" · ");
}
