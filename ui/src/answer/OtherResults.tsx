import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect } from "react";
import { forgetReading, loadReadings, useReadings } from "../features/connections/readings";
import { useConnections } from "../features/connections/state";
import { showQueries } from "../features/editor/state";
import { otherResults, resultInWords } from "../features/graph/model/answer";
import type { OfferedReadings, RunModel } from "../features/graph/model/model";
import { meaningInWords, othersOf, takenOf, whoChose } from "../features/graph/model/readings";
import type { KeptReading, Reading } from "../host/bindings";
import { cx } from "../kit/cx";
import { focusNeighbour } from "../kit/focusNeighbour";
import { Menu, MenuItem } from "../kit/menu";
import { TextButton } from "../kit/textButton";
import { runFrom } from "../run/useSteering";
import { attemptsInWords, countAttempts } from "./answer";
import { Fact } from "./Fact";
import { showOther, useShownQuery } from "./shownQuery";

/** Other possible answers: the interpretations that were not chosen, else the results of other candidates. */
export function OtherResults({ run, onSql }: { run: RunModel; onSql: () => void }) {
  const shown = useShownQuery((s) => s.others[run.runId]?.sql ?? null);
  const look = (reading: Reading) => {
    if (run.code === null) {
      const kind = run.asked ? "reading" : "candidate";
      if (shown === reading.sql) showOther(run.runId, null);
      else showOther(run.runId, { kind, about: meaningInWords(reading), sql: reading.sql });
      return;
    }
    // The query reads fetched views, so it cannot run on its own.
    showQueries(`run:${run.runId}`, true);
    onSql();
  };
  if (run.asked) return <ReadingTaken run={run} asked={run.asked} shown={shown} onLook={look} />;
  const others = otherResults(run);
  if (others.length === 0) return null;
  const of = run.stages.findLast((stage) => stage.choice !== null)?.choice?.of ?? null;
  return (
    <Fact name={t`Other possible answers`} region tone="warn">
      <p>
        <Trans>The question may be ambiguous. Other attempts returned:</Trans>
      </p>
      <Chips readings={others} of={of} shown={shown} onLook={look} />
    </Fact>
  );
}

/**
 * The interpretation that was answered, who chose it, and the others. Another one is answered by its own recorded query, and
 * no model is asked.
 */
function ReadingTaken({
  run,
  asked,
  ...chips
}: { run: RunModel; asked: OfferedReadings } & Omit<ChipsProps, "readings" | "of">) {
  const taken = takenOf(asked);
  const others = othersOf(asked);
  const kept = useKept(run, asked);
  const ended = run.status !== "running" && run.code === null;
  const change = (meant: Reading) => void runFrom(run.runId, [{ kind: "reading", candidate: meant.candidate }]);
  return (
    <Fact name={t`Interpretation of the question`} region>
      <p>
        {taken && (
          <>
            <Trans>
              Interpreted as: <span className="text-fg">{meaningInWords(taken)}</span>.
            </Trans>{" "}
          </>
        )}
        {whoChose(asked)}. {kept && asked.remembered === null && `${t`Saved for this question.`} `}
        {ended && others.length > 0 && (
          <Menu
            trigger={
              <button
                type="button"
                data-stays
                className="rounded-sm text-accent hover:text-accent-hover hover:underline"
              >
                <Trans>Change</Trans>
              </button>
            }
            width="max-w-120"
          >
            {others.map((reading) => (
              <MenuItem key={reading.candidate} onSelect={() => change(reading)}>
                {meaningInWords(reading)}
              </MenuItem>
            ))}
          </Menu>
        )}
        {kept && (
          <>
            {ended && others.length > 0 && " · "}
            <TextButton
              onClick={(event) => {
                focusNeighbour(event.currentTarget);
                void forgetReading(run.warehouse, kept.id);
              }}
            >
              <Trans>Forget</Trans>
            </TextButton>
          </>
        )}
        {others.length > 0 && (
          <span className="mt-1 block">
            {others.length === 1 ? t`Other interpretation` : t`Other interpretations`}:
          </span>
        )}
      </p>
      <Chips readings={others} of={countAttempts(asked.readings)} {...chips} />
    </Fact>
  );
}

/** The stored choice; undefined if there is none. Only requested for open data. */
function useKept(run: RunModel, { remembered, by }: OfferedReadings): KeptReading | undefined {
  const open = useConnections((s) => s.current?.uri === run.warehouse);
  useEffect(() => {
    if (open && by === "person") void loadReadings(run.warehouse);
  }, [open, by, run.warehouse]);
  const all = useReadings((s) => s.kept[run.warehouse]);
  return all?.find(({ id, runId }) => id === remembered?.id || runId === run.runId);
}

interface ChipsProps {
  readings: Reading[];
  /** The number of attempts; null if unknown. */
  of: number | null;
  /** The query shown in place of the answer. */
  shown: string | null;
  onLook: (reading: Reading) => void;
}

function Chips({ readings, of, shown, onLook }: ChipsProps) {
  return (
    <ul className="mt-1.5 flex flex-wrap gap-1.5">
      {readings.map((reading) => (
        <li key={reading.candidate} className="min-w-0 max-w-full">
          <button
            type="button"
            title={shown === reading.sql ? t`Back to the answer` : t`Show result`}
            aria-pressed={shown === reading.sql}
            onClick={() => onLook(reading)}
            className={cx(
              "nums flex max-w-full items-baseline gap-2 rounded-md border px-2.5 py-1 text-sm shadow-card transition-colors",
              shown === reading.sql ? "border-accent bg-accent-soft" : "border-line-strong bg-raised hover:bg-hover",
            )}
          >
            {reading.meaning && <span className="truncate">{reading.meaning}</span>}
            <span className={cx("max-w-[55%] shrink-0 truncate", reading.meaning && "text-fg-2")}>
              {resultInWords(reading)}
            </span>
            <span className="shrink-0 text-fg-3 text-xs">{attemptsInWords(reading.votes, of)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
