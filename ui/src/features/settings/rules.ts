// Rules over queries: what they are, and which of them are switched off. They are switched off here for every question of
// this window; each question sends them to the program.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import type { AppError, Applicability, AskSettings, Evidence, RuleInfo, Switch } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { lazyRecord } from "../../kit/lazyRecord";

/** Rules by code, and groups of rules, that are disabled. */
type SwitchedOff = Pick<AskSettings, "withoutRules" | "without">;

interface RulesState extends SwitchedOff {
  list: RuleInfo[];
  status: "loading" | "ready" | "failed";
  error: AppError | null;
}

export const useRules = create<RulesState>(() => ({
  list: [],
  status: "loading",
  error: null,
  withoutRules: [],
  without: [],
}));

export interface RuleGroup {
  applicability: Applicability;
  /** The switch of the group; `null` where each rule has its own alone. */
  part: Switch | null;
  title: string;
  /** The effect of the rules. */
  goes: string;
}

export const GROUPS: RuleGroup[] = [
  {
    applicability: "safe",
    part: "name-repair",
    get title() {
      return t`Repairs`;
    },
    get goes() {
      return t`Change a query only if it could not run, or if its result stays the same.`;
    },
  },
  {
    applicability: "defined",
    part: null,
    get title() {
      return t`Definitions`;
    },
    get goes() {
      return t`Apply the definitions of the database to every query.`;
    },
  },
  {
    applicability: "variant",
    part: "variants",
    get title() {
      return t`Variants`;
    },
    get goes() {
      return t`Run a second query next to the original. Both stay visible.`;
    },
  },
  {
    applicability: "reading",
    part: "readings",
    get title() {
      return t`Interpretations`;
    },
    get goes() {
      return t`Ask for clarification when a question has two interpretations with different results.`;
    },
  },
  {
    applicability: "hint",
    part: "findings",
    get title() {
      return t`Findings`;
    },
    get goes() {
      return t`Report a possible mistake. The query stays unchanged.`;
    },
  },
];

export const EVIDENCE: Record<Evidence, string> = lazyRecord({
  catalog: () => t`query and catalog`,
  profile: () => t`column profiles`,
  storedValues: () => t`stored values`,
  description: () => t`description of a table`,
  definition: () => t`definitions of the database`,
  question: () => t`question`,
  result: () => t`errors and empty results`,
});

export async function loadRules() {
  try {
    useRules.setState({ list: await host().rules(), status: "ready", error: null });
  } catch (thrown) {
    useRules.setState({ status: "failed", error: toAppError(thrown) });
  }
}

/** Switches a rule on or off. */
export function setRule(code: string, on: boolean) {
  const rest = useRules.getState().withoutRules.filter((off) => off.toLowerCase() !== code.toLowerCase());
  setRuleSetting("withoutRules", on ? rest : [...rest, code]);
}

/** Switches a group of rules on or off. */
export function setPart(part: Switch, on: boolean) {
  const rest = useRules.getState().without.filter((off) => off !== part);
  setRuleSetting("without", on ? rest : [...rest, part]);
}

export function allRulesOn() {
  setRuleSetting("withoutRules", []);
  setRuleSetting("without", []);
}

function setRuleSetting(name: keyof SwitchedOff, off: string[]) {
  useRules.setState({ [name]: off });
  void host().setPreference(`ask.${name}`, JSON.stringify(off));
}

export function isOff(code: string, { withoutRules }: Pick<SwitchedOff, "withoutRules">): boolean {
  return withoutRules.some((off) => off.toLowerCase() === code.toLowerCase());
}

/** Returns whether a change is a repair: the query did not run before, or gives the same rows. */
export function isRepair({ applicability, evidence }: Pick<RuleInfo, "applicability" | "evidence">): boolean {
  return applicability === "safe" || (evidence.includes("result") && !evidence.includes("storedValues"));
}

/** Rules in which every typed word occurs. */
export function searchRules(list: RuleInfo[], typed: string): RuleInfo[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter((rule) => {
    const text = `${rule.code} ${rule.name} ${rule.summary} ${rule.before} ${rule.after}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export async function startRules() {
  const [rules, parts] = await Promise.all([host().preference("ask.withoutRules"), host().preference("ask.without")]);
  const known = GROUPS.map((group) => group.part);
  useRules.setState({
    withoutRules: ruleTexts(rules),
    without: ruleTexts(parts).filter((part): part is Switch => known.includes(part as Switch)),
  });
}

function ruleTexts(remembered: string | null): string[] {
  try {
    const all: unknown = JSON.parse(remembered ?? "[]");
    return Array.isArray(all) ? all.filter((text) => typeof text === "string") : [];
  } catch {
    return [];
  }
}
