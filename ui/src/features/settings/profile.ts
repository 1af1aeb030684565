// A model's profile line by line: what each says, how it is set, and where it comes from.

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
  none: "None",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Very high",
  max: "Highest",
};

/** Stands for no level where a choice is made. */
export const SERVER_DECIDES = "";

const yesNo = { kind: "switch" } as const;

export const LINES: Record<Key, LineLook> = {
  contextTokens: {
    label: "Context",
    help: "Tokens of prompt and reply together.",
    control: { kind: "tokens", min: 1024, max: 10_000_000 },
  },
  replyTokens: {
    label: "Longest reply",
    help: "Tokens of one reply, reasoning included.",
    control: { kind: "tokens", min: 64, max: 10_000_000 },
  },
  chunkBudget: {
    label: "Tables in one prompt",
    help: "Tokens for descriptions of tables. More tables are split over several prompts.",
    control: { kind: "tokens", min: 256, max: 10_000_000 },
  },
  deliberates: {
    label: "Gains from reasoning",
    help: "Gets long instructions and room to reason. Small models lose their way in both.",
    control: yesNo,
  },
  reasoning: {
    label: "Reasons by itself",
    help: "How it reasons before it answers.",
    control: {
      kind: "choice",
      choices: [
        { value: "none", label: "No" },
        { value: "text", label: "In its reply" },
        { value: "hidden", label: "Out of sight" },
      ],
    },
  },
  effort: {
    label: "Effort",
    help: "How much it reasons. More takes longer and costs more.",
    control: { kind: "effort" },
  },
  efforts: { label: "Levels of effort", help: "The levels that it knows.", control: { kind: "efforts" } },
  price: {
    label: "Price",
    help: "US dollars for a million tokens. Tokens read before are cheaper at most providers; some ask more for putting them into their cache.",
    control: { kind: "price" },
  },
  schema: {
    label: "Fixed form of replies",
    help: "Replies can be held to a JSON Schema.",
    control: {
      kind: "choice",
      choices: [
        { value: "none", label: "No" },
        { value: "lenient", label: "Yes" },
        { value: "strict", label: "Strict forms only" },
      ],
    },
  },
  grammar: { label: "Grammar", help: "Replies can be held to a grammar.", control: yesNo },
  stop: { label: "Stop texts", help: "A reply ends where a given text comes.", control: yesNo },
  prefill: { label: "Begun replies", help: "The beginning of a reply can be given.", control: yesNo },
  samples: { label: "Several replies at once", help: "One call gives several replies.", control: yesNo },
  seeded: { label: "Repeatable", help: "The same request and seed give the same reply.", control: yesNo },
  tokenProbabilities: {
    label: "Tells how likely its words are",
    help: "Helps to say how sure an answer is.",
    control: yesNo,
  },
  caching: {
    label: "Reuses what it has read",
    help: "The beginning of a prompt is not read, or not paid in full, again.",
    control: {
      kind: "choice",
      choices: [
        { value: "none", label: "No" },
        { value: "automatic", label: "By itself" },
        { value: "marked", label: "Where it is marked" },
        { value: "kept", label: "On this computer" },
      ],
    },
  },
  endpoint: {
    label: "Interface",
    help: "Some models of OpenAI answer at the newer one only.",
    control: {
      kind: "choice",
      choices: [
        { value: "chat", label: "Chat Completions" },
        { value: "responses", label: "Responses" },
      ],
    },
  },
};

export const GROUPS: { title: string; keys: Key[] }[] = [
  { title: "Size", keys: ["contextTokens", "replyTokens", "chunkBudget"] },
  { title: "Reasoning", keys: ["effort", "efforts", "reasoning", "deliberates"] },
  { title: "Cost", keys: ["price", "caching"] },
  {
    title: "Abilities",
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
      return "Set by you";
    case "probed":
      return info.probedOn ? `Tested, ${day(info.probedOn)}` : "Tested";
    case "declared":
      return `Known, ${day(info.declaredOn)}`;
    case "run":
      return "As run here";
    case "derived":
      return "From the context";
    default:
      return "Assumed";
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
    contextTokens ? `${compact(contextTokens)} context` : null,
    price ? `$${price.input} in, $${price.output} out per million` : null,
  ]
    .filter(Boolean)
    .join(" · ");
}
