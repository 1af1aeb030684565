// The editors of what can be set in a run, one for each kind.

import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { RunChange, SchemaSelection } from "../../../host/bindings";
import { Field, Input, Textarea } from "../../../kit/field";
import { namesTyped } from "../model/steering";

interface FieldsProps<Kind extends RunChange["kind"]> {
  change: Extract<RunChange, { kind: Kind }>;
  onChange: (change: RunChange) => void;
}

/** Tables that are listed with a box each; more are typed. */
const LISTED = 60;

/** The editor for a change. `tables` can be excluded. */
export function ChangeFields({
  change,
  tables,
  adds,
  onChange,
}: {
  change: RunChange;
  tables: SchemaSelection["tables"];
  /** True if tables can be added here. */
  adds: boolean;
  onChange: (change: RunChange) => void;
}) {
  switch (change.kind) {
    case "question":
    case "plan":
      return (
        <Textarea
          aria-label={change.kind === "plan" ? t`Plan` : t`Question`}
          rows={change.kind === "plan" ? 6 : 3}
          value={change.text}
          onChange={(e) => onChange({ ...change, text: e.target.value })}
        />
      );
    case "view":
    case "sql":
      return (
        <Textarea
          aria-label={change.kind === "sql" ? "SQL" : t`SQL of ${change.name}`}
          rows={10}
          spellCheck={false}
          className="font-mono text-xs leading-5"
          value={change.sql}
          onChange={(e) => onChange({ ...change, sql: e.target.value })}
        />
      );
    case "reading":
      // Chosen at the answer.
      return null;
    case "rewritten":
      return <RewrittenFields change={change} onChange={onChange} />;
    case "tables":
      return <TablesFields change={change} tables={tables} adds={adds} onChange={onChange} />;
  }
}

function RewrittenFields({ change, onChange }: FieldsProps<"rewritten">) {
  const { rewritten } = change;
  const set = (part: Partial<typeof rewritten>) => onChange({ ...change, rewritten: { ...rewritten, ...part } });
  const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  return (
    <div className="flex flex-col gap-3">
      <Field label={t`What to find`}>
        <Textarea rows={2} value={rewritten.task} onChange={(e) => set({ task: e.target.value })} />
      </Field>
      <Field label={t`Columns of the answer, one per line`}>
        <Textarea
          rows={3}
          defaultValue={rewritten.outputs.join("\n")}
          onChange={(e) => set({ outputs: lines(e.target.value) })}
        />
      </Field>
      <Field label={t`Conditions, one per line`}>
        <Textarea
          rows={3}
          defaultValue={rewritten.filters.join("\n")}
          onChange={(e) => set({ filters: lines(e.target.value) })}
        />
      </Field>
      <Field label={t`Order and limit`}>
        <Input value={rewritten.ordering} onChange={(e) => set({ ordering: e.target.value })} />
      </Field>
    </div>
  );
}

function TablesFields({
  change,
  tables,
  adds,
  onChange,
}: FieldsProps<"tables"> & { tables: SchemaSelection["tables"]; adds: boolean }) {
  const listed = tables.slice(0, LISTED).map(({ name }) => name);
  const [out, setOut] = useState(() => change.dropped.filter((name) => listed.includes(name)));
  const [typed, setTyped] = useState(() => change.dropped.filter((name) => !listed.includes(name)).join(", "));
  const say = (names: string[], text: string) => onChange({ ...change, dropped: [...names, ...namesTyped(text)] });
  return (
    <div className="flex flex-col gap-3">
      {tables.length > 0 && (
        <fieldset>
          <legend className="mb-1 font-medium text-fg-2 text-sm">
            <Trans>Tables to keep</Trans>
          </legend>
          <ul className="max-h-50 overflow-y-auto rounded-md border border-line px-2.5 py-1.5">
            {listed.map((name) => (
              <li key={name}>
                <label className="flex items-center gap-2 py-0.5 text-sm">
                  <input
                    type="checkbox"
                    checked={!out.includes(name)}
                    onChange={(e) => {
                      const next = e.target.checked ? out.filter((other) => other !== name) : [...out, name];
                      setOut(next);
                      say(next, typed);
                    }}
                  />
                  <span className="wrap-anywhere min-w-0">{name}</span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <Field label={t`Also exclude`} help={t`Tables, or columns as table.column, separated by commas`}>
        <Input
          value={typed}
          placeholder="customers.email"
          onChange={(e) => {
            setTyped(e.target.value);
            say(out, e.target.value);
          }}
        />
      </Field>
      {adds && (
        <Field label={t`Add`} help={t`Tables, or columns as table.column, separated by commas`}>
          <Input
            defaultValue={change.added.join(", ")}
            onChange={(e) => onChange({ ...change, added: namesTyped(e.target.value) })}
          />
        </Field>
      )}
    </div>
  );
}
