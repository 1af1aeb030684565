import { otherResults, resultInWords } from "../features/graph/answer";
import type { RunModel } from "../features/graph/model";
import { Disclosure } from "../kit/disclosure";
import { plural } from "../kit/format";
import { CodeText, SqlText } from "../kit/sqlText";

/** What gave a table that no query gives: the queries of the views, and the code over them. Only to be read. */
export function CodeTab({ run }: { run: RunModel }) {
  const others = otherResults(run);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-220 flex-col gap-5 px-6 py-5">
        <section aria-labelledby="view-queries">
          <h2 id="view-queries" className="mb-1.5 font-medium text-fg-2 text-sm">
            Queries of the views
          </h2>
          <SqlText sql={run.sql ?? ""} dialect={run.dialect} />
        </section>
        <section aria-labelledby="code">
          <h2 id="code" className="font-medium text-fg-2 text-sm">
            Python
          </h2>
          <p className="mt-0.5 mb-1.5 text-fg-3 text-sm">
            The table of the answer comes from this code over the views whose queries stand above. Running the queries
            alone does not give it, so they cannot be edited and run here.
          </p>
          <CodeText code={run.code ?? ""} />
        </section>
        {others.length > 0 && (
          <section aria-labelledby="other-queries">
            <h2 id="other-queries" className="mb-1.5 font-medium text-fg-2 text-sm">
              Queries that gave other results
            </h2>
            {others.map((other) => (
              <Disclosure key={other.candidate} title={resultInWords(other)} note={plural(other.votes, "vote")}>
                <SqlText sql={other.sql} dialect={run.dialect} />
              </Disclosure>
            ))}
          </section>
        )}
      </div>
    </div>
  );
}
