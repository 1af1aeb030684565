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

export const EFFORTS: Record<Effort, string> = {
  get none() {
    return t`None`;
  },
  get minimal() {
    return t`Minimal`;
  },
  get low() {
    return t`Low`;
  },
  get medium() {
    return t`Medium`;
  },
  get high() {
    return t`High`;
  },
  get xhigh() {
    return t`Very high`;
  },
  get max() {
    return t`Highest`;
  },
};

/** Stands for no level where a choice is made. */
export const SERVER_DECIDES = "";

const yesNo = { kind: "switch" } as const;

export const LINES: Record<Key, LineLook> = {
  contextTokens: {
    get label() {
      return t`Context`;
    },
    get help() {
      return t`Tokens of prompt and reply together.`;
    },
    control: { kind: "tokens", min: 1024, max: 10_000_000 },
  },
  replyTokens: {
    get label() {
      return t`Longest reply`;
    },
    get help() {
      return t`Tokens of one reply, reasoning included.`;
    },
    control: { kind: "tokens", min: 64, max: 10_000_000 },
  },
  chunkBudget: {
    get label() {
      return t`Tables in one prompt`;
    },
    get help() {
      return t`Tokens for descriptions of tables. More tables are split over several prompts.`;
    },
    control: { kind: "tokens", min: 256, max: 10_000_000 },
  },
  deliberates: {
    get label() {
      return t`Gains from reasoning`;
    },
    get help() {
      return t`Gets long instructions and room to reason. Small models lose their way in both.`;
    },
    control: yesNo,
  },
  reasoning: {
    get label() {
      return t`Reasons by itself`;
    },
    get help() {
      return t`How it reasons before it answers.`;
    },
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
            return t`In its reply`;
          },
        },
        {
          value: "hidden",
          get label() {
            return t`Out of sight`;
          },
        },
      ],
    },
  },
  effort: {
    get label() {
      return t`Effort`;
    },
    get help() {
      return t`How much it reasons. More takes longer and costs more.`;
    },
    control: { kind: "effort" },
  },
  efforts: {
    get label() {
      return t`Levels of effort`;
    },
    get help() {
      return t`The levels that it knows.`;
    },
    control: { kind: "efforts" },
  },
  price: {
    get label() {
      return t`Price`;
    },
    get help() {
      return t`US dollars for a million tokens. Tokens read before are cheaper at most providers; some ask more for putting them into their cache.`;
    },
    control: { kind: "price" },
  },
  schema: {
    get label() {
      return t`Fixed form of replies`;
    },
    get help() {
      return t`Replies can be held to a JSON Schema.`;
    },
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
            return t`Strict forms only`;
          },
        },
      ],
    },
  },
  grammar: {
    get label() {
      return t`Grammar`;
    },
    get help() {
      return t`Replies can be held to a grammar.`;
    },
    control: yesNo,
  },
  stop: {
    get label() {
      return t`Stop texts`;
    },
    get help() {
      return t`A reply ends where a given text comes.`;
    },
    control: yesNo,
  },
  prefill: {
    get label() {
      return t`Begun replies`;
    },
    get help() {
      return t`The beginning of a reply can be given.`;
    },
    control: yesNo,
  },
  samples: {
    get label() {
      return t`Several replies at once`;
    },
    get help() {
      return t`One call gives several replies.`;
    },
    control: yesNo,
  },
  seeded: {
    get label() {
      return t`Repeatable`;
    },
    get help() {
      return t`The same request and seed give the same reply.`;
    },
    control: yesNo,
  },
  tokenProbabilities: {
    get label() {
      return t`Tells how likely its words are`;
    },
    get help() {
      return t`Helps to say how sure an answer is.`;
    },
    control: yesNo,
  },
  caching: {
    get label() {
      return t`Reuses what it has read`;
    },
    get help() {
      return t`The beginning of a prompt is not read, or not paid in full, again.`;
    },
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
            return t`By itself`;
          },
        },
        {
          value: "marked",
          get label() {
            return t`Where it is marked`;
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
  },
  endpoint: {
    get label() {
      return t`Interface`;
    },
    get help() {
      return t`Some models of OpenAI answer at the newer one only.`;
    },
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
  },
};

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
      return t`Abilities`;
    },
    keys: ["schema", "grammar", "stop", "prefill", "samples", "seeded", "tokenProbabilities", "endpoint"],
  },
];

/** The key of a line that the program names as files do: `context_tokens`. */
export function keyOf(name: string): string {
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

/** What the user says, with one line changed; null takes the line back. */
export function saying<K extends Key>(said: ProfileFacts, key: K, value: ProfileFacts[K] | null): ProfileFacts {
  const { [key]: _, ...rest } = said;
  return value === null ? rest : { ...rest, [key]: value };
}

/** A price with one part changed; null once no part is left. */
export function pricing(price: Price | null, part: keyof Price, value: number | null): Price | null {
  const next: Price = {
    input: 0,
    cached: 0,
    output: 0,
    ...price,
    [part]: part === "cacheWrite" ? value : (value ?? 0),
  };
  return next.input === 0 && next.cached === 0 && next.output === 0 ? null : next;
}

/** What a list of models says of one of them. */
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
