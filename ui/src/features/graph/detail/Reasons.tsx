import { plural, t } from "@lingui/core/macro";
import type { GivenReason } from "../model/model";
import { Section } from "./parts";

/** The reasons of the planner or judge in the model's words. */
export function Reasons({ reasons }: { reasons: GivenReason[] }) {
  if (reasons.length === 0) return null;
  return (
    <Section
      title={t`Reasons of the model`}
      note={reasons.length > 1 ? plural(reasons.length, { one: "# reply", other: "# replies" }) : undefined}
    >
      <ul className="flex flex-col gap-2">
        {reasons.map((given, i) => (
          <li key={i}>
            {given.preferred !== null && (
              <p className="text-fg-3 text-xs">{preferenceInWords(given.preferred, given.candidates)}</p>
            )}
            <p className="wrap-anywhere whitespace-pre-wrap">{given.reason}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Names the preferred candidate and those it was compared with. */
function preferenceInWords(preferred: number, candidates: number[]): string {
  const others = candidates.filter((candidate) => candidate !== preferred).join(", ");
  return t`Attempt ${preferred} rather than ${others}`;
}
