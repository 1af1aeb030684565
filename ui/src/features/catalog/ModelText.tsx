import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import type { EgressLevel, TableName, TableText } from "../../host/bindings";
import { host } from "../../host/host";
import { ErrorNote } from "../../kit/error";
import { count } from "../../kit/format";
import { lazyRecord } from "../../kit/lazyRecord";
import { Segmented } from "../../kit/segmented";
import { type Choice, Select } from "../../kit/select";
import { CopyButton } from "../../kit/sqlText";
import { LoadingText } from "../../kit/status";
import { tableLabel } from "./search";
import { useAnswer } from "./useAnswer";

const LEFT_OUT: Record<EgressLevel, string> = lazyRecord({
  names: () => t`Comments, statistics and values are not sent.`,
  comments: () => t`Statistics and values are not sent.`,
  profile: () => t`Values are not sent.`,
  samples: () => "",
  results: () => "",
});

/** The exact text of a table in the prompts of a model. */
export function ModelText({
  uri,
  table,
  models,
  changes,
}: {
  uri: string;
  table: TableName;
  /** The models to choose from; the first is the default. */
  models: Choice<string>[];
  /** Another value when more is known of the table. */
  changes: unknown;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [form, setForm] = useState<"statement" | "list">("statement");
  const model = models.find((m) => m.value === chosen)?.value ?? models[0]?.value ?? null;
  const { answer, error } = useAnswer(
    () => (model === null ? new Promise<TableText>(() => {}) : host().tableText(uri, table, model)),
    [uri, tableLabel(table), model, changes],
  );
  const text = answer && (form === "list" ? (answer.listed ?? answer.text) : answer.text);
  return (
    <section aria-label={t`What the model sees`} className="mt-3">
      <div className="flex flex-wrap items-center gap-2">
        {models.length > 0 && (
          <Select label={t`Model`} value={model ?? ""} choices={models} onChange={setChosen} className="w-56" />
        )}
        {answer?.listed && (
          <Segmented
            label={t`Format`}
            value={form}
            choices={[
              { value: "statement", label: t`Statement` },
              { value: "list", label: t`List`, note: t`As shown by the method DSR-SQL` },
            ]}
            onChange={setForm}
          />
        )}
      </div>
      {error && (
        <div className="mt-3 max-w-160">
          <ErrorNote error={error} compact />
        </div>
      )}
      {!answer && !error && <LoadingText className="mt-3" />}
      {answer && text !== null && (
        <>
          <ul className="mt-2 max-w-180 text-fg-3 text-sm">
            {remarksOf(answer).map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
          <div className="relative mt-2 rounded-md border border-line bg-sunk">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard */}
            <pre tabIndex={0} className="overflow-x-auto px-3 py-2.5 pr-10 font-mono text-xs leading-[1.6]">
              <code>{text}</code>
            </pre>
            <CopyButton text={text} label={t`Copy text`} className="absolute top-1 right-1 bg-sunk" />
          </div>
        </>
      )}
    </section>
  );
}

/** Remarks beside the text. */
function remarksOf({ tokens, budget, members, level, masked, profiled }: TableText): string[] {
  const others = members.length - 1;
  return [
    plural(tokens, { one: "About # token.", other: "About # tokens." }),
    tokens > budget ? t`The model reads ${count(budget)} tokens at a time, so this table is split by columns.` : null,
    level === null
      ? t`This model runs inside Vitrine. No data leaves your computer.`
      : t`This is a remote model. ${LEFT_OUT[level]}`.trim(),
    masked.length > 0 ? t`Values withheld as personal: ${masked.join(", ")}.` : null,
    others > 0
      ? t`One description for ${plural(members.length, { one: "# similar table", other: "# similar tables" })}.`
      : null,
    profiled ? null : t`The table has not been profiled yet. Values appear once it has.`,
  ].filter((remark) => remark !== null);
}
