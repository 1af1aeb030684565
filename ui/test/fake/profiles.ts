// Profiles of the made-up models, and what a test finds out about them.

import type {
  ModelProfile,
  ModelProfileInfo,
  ModelTest,
  ProfileFacts,
  ProfileSource,
  ServedModel,
} from "../../src/host/bindings";

const LINES = [
  "context_tokens",
  "reply_tokens",
  "chunk_budget",
  "deliberates",
  "reasoning",
  "efforts",
  "effort",
  "endpoint",
  "prefill",
  "stop",
  "schema",
  "grammar",
  "samples",
  "seeded",
  "caching",
  "token_probabilities",
  "price",
];

const ASSUMED: ModelProfile = {
  contextTokens: 32_768,
  replyTokens: 8192,
  chunkBudget: 10_000,
  deliberates: true,
  reasoning: "none",
  efforts: [],
  effort: null,
  endpoint: "chat",
  prefill: false,
  stop: true,
  schema: "lenient",
  grammar: false,
  samples: true,
  seeded: false,
  caching: "none",
  tokenProbabilities: false,
  price: null,
};

const DECLARED: Record<string, ProfileFacts> = {
  "openai:gpt-4.1-mini": {
    contextTokens: 1_047_576,
    replyTokens: 32_768,
    chunkBudget: 100_000,
    reasoning: "none",
    schema: "strict",
    caching: "automatic",
    samples: true,
    seeded: false,
    tokenProbabilities: true,
    price: { input: 0.4, cached: 0.1, output: 1.6 },
  },
};

const LOCAL: ProfileFacts = {
  contextTokens: 16_384,
  replyTokens: 4096,
  chunkBudget: 3000,
  deliberates: false,
  prefill: true,
  grammar: true,
  seeded: true,
  caching: "kept",
  tokenProbabilities: true,
};

/** What is known about the made-up models; `said` and `probed` are kept by model. */
export function fakeProfiles() {
  const said = new Map<string, ProfileFacts>();
  const probed = new Map<string, ProfileFacts>();
  const info = (id: string): ModelProfileInfo => {
    const declared = DECLARED[id] ?? (id.includes(":") ? {} : LOCAL);
    const sources: [ProfileFacts, ProfileSource][] = [
      [said.get(id) ?? {}, "said"],
      [probed.get(id) ?? {}, "probed"],
      [declared, "declared"],
    ];
    const profile = { ...ASSUMED, ...declared, ...probed.get(id), ...said.get(id) } as ModelProfile;
    const lines = LINES.map((name) => {
      const key = name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase()) as keyof ModelProfile;
      const source = sources.find(([facts]) => facts[key] !== undefined)?.[1] ?? "assumed";
      const value = profile[key];
      return {
        name,
        source,
        value: value === null ? "" : typeof value === "object" ? JSON.stringify(value) : `${value}`,
      };
    });
    return {
      id,
      profile,
      lines,
      declared,
      declaredOn: "2026-11-24",
      probed: probed.get(id) ?? {},
      probedOn: probed.has(id) ? "2026-11-24" : null,
      said: said.get(id) ?? {},
    };
  };
  return {
    modelProfile: async (id: string) => info(id),
    setModelProfile: async (id: string, facts: ProfileFacts) => {
      said.set(id, structuredClone(facts));
      return info(id);
    },
    testModel: async (id: string): Promise<ModelTest> => {
      await new Promise((done) => setTimeout(done, 30));
      probed.set(id, { reasoning: "none", schema: "strict", stop: true, seeded: true });
      return {
        said: `${id} answered “391” in 0.9 s. Different from the declaration: seeded is true instead of false.`,
        findings: [
          {
            name: "context_tokens",
            found: null,
            declared: "1047576",
            how: "the server lists the model and does not tell it",
          },
          { name: "reasoning", found: "none", declared: "none", how: "it replied at once" },
          {
            name: "schema",
            found: "strict",
            declared: "strict",
            how: "it kept to a schema, and refused one that is not strict",
          },
          { name: "stop", found: "true", declared: null, how: "its reply ended at the text" },
          { name: "seeded", found: "true", declared: "false", how: "two replies with one seed are the same" },
        ],
        profile: info(id),
      };
    },
  };
}

export const SERVED: ServedModel[] = [
  { id: "gpt-4.1", title: null, facts: { contextTokens: 1_047_576, price: { input: 2, cached: 0.5, output: 8 } } },
  {
    id: "gpt-4.1-mini",
    title: null,
    facts: { contextTokens: 1_047_576, price: { input: 0.4, cached: 0.1, output: 1.6 } },
  },
  { id: "gpt-5", title: null, facts: { contextTokens: 400_000, price: { input: 1.25, cached: 0.125, output: 10 } } },
  {
    id: "o4-mini",
    title: null,
    facts: { contextTokens: 200_000, price: { input: 1.1, cached: 0.275, output: 4.4 } },
  },
  { id: "text-embedding-3-small", title: null, facts: {} },
];
