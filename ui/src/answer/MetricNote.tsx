import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { AskedPart, MetricAnswer, MetricDefinition } from "../host/bindings";
import { Disclosure } from "../kit/disclosure";
import { WhyChanged } from "./WhyChanged";

/** The metrics that define the answer: "Revenue, as defined by Finance". The definitions and how the question was understood are one click away. */
export function MetricNote({ warehouse, answer }: { warehouse: string; answer: MetricAnswer }) {
  const { metrics, by, filters, period, calculation, order } = answer;
  const understood = [
    { label: t`By`, text: by.join(", ") },
    { label: t`Only`, text: filters.join("; ") },
    { label: t`Period`, text: period ?? "" },
    { label: t`Also`, text: calculation ?? "" },
    { label: t`Order`, text: order ?? "" },
  ].filter(({ text }) => text !== "");
  return (
    <section aria-label={t`Definition of the answer`} className="mt-2 max-w-178 text-sm">
      <Disclosure title={metrics.map(titleOf).join("; ")} wrap>
        <div className="flex flex-col gap-2.5 rounded-lg border border-line bg-sunk px-3.5 py-3">
          {metrics.map((metric) => (
            <Definition key={metric.name} metric={metric} />
          ))}
          {understood.length > 0 && (
            <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
              {understood.map(({ label, text }) => (
                <div key={label} className="contents">
                  <dt className="text-fg-3">{label}</dt>
                  <dd className="nums wrap-anywhere">{text}</dd>
                </div>
              ))}
            </dl>
          )}
          <p className="text-fg-2">
            <Trans>Words of the question:</Trans>{" "}
            {answer.parts
              .filter(({ role }) => role !== "filler")
              .map((part, index) => (
                <span key={`${index} ${part.text}`}>
                  {index > 0 && ", "}
                  {partInWords(part)}
                </span>
              ))}
          </p>
        </div>
      </Disclosure>
      <div className="mt-2">
        <WhyChanged key={JSON.stringify(answer.query)} warehouse={warehouse} answer={answer} />
      </div>
    </section>
  );
}

function Definition({ metric: { label, description, unit, filters = [] } }: { metric: MetricDefinition }) {
  return (
    <div>
      <p className="font-medium">
        {label}
        {unit && <span className="text-fg-3"> ({unit})</span>}
      </p>
      {description && <p className="wrap-anywhere text-fg-2">{description}</p>}
      {filters.map((filter) => (
        <p key={filter}>
          <code className="wrap-anywhere text-fg-2 text-xs">{filter}</code>
        </p>
      ))}
    </div>
  );
}

function titleOf({ label, owner }: MetricDefinition): string {
  return owner ? t`${label}, as defined by ${owner}` : t`${label}, as defined for this connection`;
}

/** The words with their meaning, if it is another text: "sales" means Revenue. */
function partInWords({ text, meaning }: AskedPart): string {
  return meaning && meaning.toLowerCase() !== text.toLowerCase() ? `“${text}” (${meaning})` : `“${text}”`;
}
