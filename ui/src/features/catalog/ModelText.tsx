import { useState } from "react";
import type { EgressLevel, TableName, TableText } from "../../host/bindings";
import { host } from "../../host/host";
import { ErrorNote } from "../../kit/error";
import { count, plural } from "../../kit/format";
import { Segmented } from "../../kit/segmented";
import { type Choice, Select } from "../../kit/select";
import { CopyButton } from "../../kit/sqlText";
import { LoadingText } from "../../kit/status";
import { tableLabel } from "./search";
import { useAnswer } from "./useAnswer";

const LEFT_OUT: Record<EgressLevel, string> = {
  names: "Comments, figures and values stay here.",
  comments: "Figures and values stay here.",
  profile: "Values stay here.",
  samples: "",
  results: "",
};

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
    <section aria-label="What a model reads" className="mt-3">
      <div className="flex flex-wrap items-center gap-2">
        {models.length > 0 && (
          <Select label="Model" value={model ?? ""} choices={models} onChange={setChosen} className="w-56" />
        )}
        {answer?.listed && (
          <Segmented
            label="Form"
            value={form}
            choices={[
              { value: "statement", label: "Statement" },
              { value: "list", label: "List", note: "As the method DSR-SQL shows it" },
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
            {remarks(answer).map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
          <div className="relative mt-2 rounded-md border border-line bg-sunk">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard */}
            <pre tabIndex={0} className="overflow-x-auto px-3 py-2.5 pr-10 font-mono text-xs leading-[1.6]">
              <code>{text}</code>
            </pre>
            <CopyButton text={text} label="Copy text" className="absolute top-1 right-1 bg-sunk" />
          </div>
        </>
      )}
    </section>
  );
}

/** What is to be known beside the text. */
function remarks({ tokens, budget, members, level, masked, profiled }: TableText): string[] {
  const others = members.length - 1;
  return [
    `About ${plural(tokens, "token")}.${
      tokens > budget ? ` The model reads ${count(budget)} at a time: this table comes in parts, by its columns.` : ""
    }`,
    level === null
      ? "This model runs inside this program. Nothing leaves your computer."
      : `This model is behind an address. ${LEFT_OUT[level]}`.trim(),
    masked.length > 0 ? `Without values, as they are personal: ${masked.join(", ")}.` : null,
    others > 0 ? `One text for ${plural(members.length, "table")} that look alike.` : null,
    profiled ? null : "The table has not been profiled yet: values follow once it has.",
  ].filter((remark) => remark !== null);
}
