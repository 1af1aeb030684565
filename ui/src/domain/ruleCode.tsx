import { t } from "@lingui/core/macro";
import { createContext, useContext } from "react";
import type { RuleInfo } from "../host/bindings";
import { Hint } from "../kit/tooltip";
import { useExperts } from "./experts";

/** The rules by code, and how to open one. The shell provides them. */
export const RuleContext = createContext<{ rules: RuleInfo[]; onOpen: ((code: string) => void) | null }>({
  rules: [],
  onOpen: null,
});

/** A rule's code, for experts. Name and summary appear on hover and focus. */
export function RuleCode({ code }: { code: string }) {
  const { rules, onOpen } = useContext(RuleContext);
  const details = useExperts((s) => s.details);
  if (!details) return null;
  const rule = rules.find((r) => r.code.toLowerCase() === code.toLowerCase());
  const label = rule ? `${rule.name}: ${rule.summary}` : t`Unknown rule, from another version`;
  return (
    <Hint label={label}>
      <button
        type="button"
        aria-label={rule ? t`Rule ${code}, ${rule.name}` : t`Rule ${code}`}
        onClick={() => onOpen?.(code)}
        className="rounded-sm bg-hover px-1 font-mono text-fg-3 text-xs leading-4 hover:bg-active hover:text-fg"
      >
        {code}
      </button>
    </Hint>
  );
}
