import { Trans } from "@lingui/react/macro";
import { otherResults, resultInWords } from "../features/graph/model/answer";
import type { RunModel } from "../features/graph/model/model";
import { host } from "../host/host";
import { Disclosure } from "../kit/disclosure";
import { SqlText } from "../kit/sqlText";
import { attemptsInWords, viewsOf } from "./answer";
import { CodePane } from "./CodePane";
import { useShownRows } from "./SqlTab";
import { useCode } from "./useCode";

/** The code of an answer, and the result of an edited version over the same views. */
export function CodeTab({ run }: { run: RunModel }) {
  const work = useCode(run.runId, (code) => host().runCode(run.runId, code));
  useShownRows(run.runId, work.rows.result === null ? null : work.origin);
  return (
    <CodePane
      draftKey={`run:${run.runId}`}
      code={run.code ?? ""}
      queries={<Queries run={run} />}
      views={viewsOf(run)}
      question={run.question}
      work={work}
      exported
    />
  );
}

/** The queries of the views and, if candidates disagree, those with other results. */
function Queries({ run }: { run: RunModel }) {
  const others = otherResults(run);
  const of = run.stages.findLast((stage) => stage.choice !== null)?.choice?.of ?? null;
  return (
    <>
      <SqlText plain sql={run.sql ?? ""} dialect={run.dialect} />
      {others.length > 0 && (
        <section aria-labelledby="other-queries" className="mt-4">
          <h2 id="other-queries" className="mb-1 font-medium text-fg-2 text-sm">
            <Trans>Queries with other results</Trans>
          </h2>
          {others.map((other) => (
            <Disclosure
              key={other.candidate}
              title={resultInWords(other)}
              note={attemptsInWords(other.votes, of)}
              open
            >
              <SqlText plain sql={other.sql} dialect={run.dialect} className="pl-5" />
            </Disclosure>
          ))}
        </section>
      )}
    </>
  );
}
