import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { cx } from "../../../kit/cx";
import type { Comparison, RunModel, StageNode, Vote } from "../model/model";
import { resultName } from "../model/names";
import { candidatesBehind, leftOut, type ResultGroup, resultsOf } from "../model/results";
import { ResultList } from "./Candidates";
import { Section } from "./parts";

/** Shows how one of several results was chosen: by vote or by pairwise comparison. */
export function Choosing({ stage, run }: { stage: StageNode; run: RunModel }) {
  const results = resultsOf(run, stage);
  const of = candidatesBehind(run, stage).length;
  const rest = leftOut(run, stage);
  const chosen = stage.choice?.candidate ?? null;
  if (results.length + rest.length === 0) return null;
  return (
    <>
      <Section
        title={t`Results`}
        note={`${plural(of, { one: "# attempt", other: "# attempts" })}, ${plural(results.length, { one: "# result", other: "# results" })}`}
      >
        {stage.vote && (
          <p className="mb-2 text-fg-2">
            <strong className={cx("font-medium", stage.vote.confidence === "high" ? "text-good" : "text-warn")}>
              {stage.vote.confidence === "high" ? t`High confidence` : t`Low confidence`}
            </strong>
            : {whyInWords(stage.vote)}
          </p>
        )}
        <ResultList results={results} of={of} run={run} chosen={chosen} points={stage.comparison?.scores} />
      </Section>
      {stage.comparison && stage.comparison.clusters.length > 1 && (
        <Section title={t`Pairwise comparison`}>
          <Matrix comparison={stage.comparison} results={results} chosen={chosen} />
        </Section>
      )}
      {rest.length > 0 && (
        <Section title={t`Excluded`}>
          <ResultList results={rest} of={of} run={run} chosen={null} />
        </Section>
      )}
    </>
  );
}

/** The reason for the confidence of a vote. */
export function whyInWords({ clusters, confidence }: Vote): string {
  const [first, second] = clusters;
  if (!first) return t`no attempt ran.`;
  if (confidence === "high") {
    return second
      ? t`one result came from more attempts than any other.`
      : t`all attempts that ran gave the same result.`;
  }
  if (first.suspicious) return t`the leading result is suspicious.`;
  const votes = first.candidates.length;
  const leading = clusters.filter((c) => !c.suspicious && c.candidates.length === votes).length;
  return t`${leading} results lead with ${plural(votes, { one: "# attempt", other: "# attempts" })} each.`;
}

/** Wins of the row's result over the column's; both orders count. */
function Matrix({
  comparison: { clusters, wins, scores },
  results,
  chosen,
}: {
  comparison: Comparison;
  results: ResultGroup[];
  chosen: number | null;
}) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard */}
      <div className="overflow-auto rounded-md border border-line" tabIndex={0}>
        <table className="nums w-full border-collapse text-sm">
          <caption className="sr-only">
            <Trans>Wins of the row's result over the column's result</Trans>
          </caption>
          <thead>
            <tr className="bg-sunk text-fg-2 text-xs">
              <th scope="col" className="sticky left-0 bg-sunk px-2.5 py-1 text-left font-medium">
                <Trans>Wins</Trans>
              </th>
              {clusters.map((_, i) => (
                <th key={i} scope="col" className="min-w-8 px-1.5 py-1 text-center font-medium">
                  {resultName(i)}
                </th>
              ))}
              <th scope="col" className="px-2.5 py-1 text-right font-medium">
                <Trans>Points</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {clusters.map((cluster, row) => {
              const won = chosen !== null && cluster.candidates.includes(chosen);
              return (
                <tr key={row} className={cx("border-line border-t", won && "font-medium")}>
                  <th
                    scope="row"
                    className={cx(
                      "sticky left-0 whitespace-nowrap px-2.5 py-1 text-left font-medium",
                      won ? "bg-accent-soft text-accent" : "bg-bg",
                    )}
                  >
                    {resultName(row)}
                    <span className="ml-2 font-normal text-fg-3 text-xs">{rowsInWords(results[row])}</span>
                  </th>
                  {clusters.map((_, column) => (
                    <Cell key={column} same={row === column} wins={wins[row]?.[column] ?? 0} />
                  ))}
                  <td className="px-2.5 py-1 text-right">{scores[row] ?? 0}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className="mt-2 text-fg-3 text-sm">
        <Trans>
          Each cell counts the wins of the row's result over the column's result. Every pair is compared twice, once
          in each order. A win scores one point for every candidate with the other result; candidates with the same
          result score one point against each other.
        </Trans>
      </p>
    </>
  );
}

function Cell({ same, wins }: { same: boolean; wins: number }) {
  if (same) return <td className="px-1.5 py-1 text-center text-line-strong">–</td>;
  return (
    <td className="p-0.5 text-center">
      <span
        className={cx(
          "mx-auto block w-7 rounded-sm py-0.5",
          wins > 1 ? "bg-accent-soft font-medium text-accent" : wins > 0 ? "bg-hover" : "text-fg-3",
        )}
      >
        {wins}
      </span>
    </td>
  );
}

function rowsInWords(result: ResultGroup | undefined): string {
  return result?.rowCount === null || result === undefined
    ? ""
    : plural(result.rowCount, { one: "# row", other: "# rows" });
}
