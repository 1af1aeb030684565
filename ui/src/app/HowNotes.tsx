import { Waypoints } from "lucide-react";
import { Checks } from "../features/explain/Checks";
import { type Explained, useKnownExplanation } from "../features/explain/state";
import { TextButton } from "../kit/textButton";

/** What the query does, in one line, and what is worth checking; both link to the data flow. */
export function HowNotes({
  query,
  onStep,
}: {
  query: Explained;
  /** Shows the explanation, at a step if one is given. */
  onStep: (step: string | null) => void;
}) {
  const explanation = useKnownExplanation(query);
  const [first] = explanation?.understood ?? [];
  const doubts = (explanation?.checks ?? []).filter((check) => check.mayChange);
  return (
    <>
      <p className="mt-2.5 flex items-start gap-2 text-fg-2 text-sm">
        <Waypoints size={14} className="mt-0.5 shrink-0 text-fg-3" aria-hidden />
        <span className="wrap-anywhere min-w-0">
          {first && (
            <>
              <span className="text-fg">What the query does</span>: {lowered(first)}.{" "}
            </>
          )}
          <TextButton onClick={() => onStep(null)}>Show explanation</TextButton>
        </span>
      </p>
      {doubts.length > 0 && (
        <section aria-label="Worth checking" className="mt-2.5">
          <h3 className="mb-1 text-fg text-sm">Worth checking</h3>
          <Checks
            checks={doubts}
            after={({ step }) => step !== null && <TextButton onClick={() => onStep(step)}>Show step</TextButton>}
          />
        </section>
      )}
    </>
  );
}

const lowered = (clause: string) => clause.charAt(0).toLowerCase() + clause.slice(1);
