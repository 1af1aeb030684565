import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { ParameterInput, parameterLabel, useParameters } from "../../domain/parameter";
import type { SavedParameter } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Field } from "../../kit/field";

/** Chooses which constants of a query are asked for when it is run. */
export function ParameterChoice({
  warehouse,
  sql,
  chosen,
  onChange,
}: {
  warehouse: string;
  sql: string;
  chosen: string[];
  onChange: (names: string[]) => void;
}) {
  const { found } = useParameters(warehouse, sql);
  if (!found || found.length === 0) return null;
  const names = found.map((parameter) => parameter.name);
  const toggle = (name: string, on: boolean) =>
    onChange(names.filter((other) => (other === name ? on : chosen.includes(other))));
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-fg-2 text-sm">
        <Trans>Ask at each run</Trans>
      </legend>
      <div className="flex max-h-32 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
        {found.map(({ name, value, bound }) => (
          <label key={name} className="flex max-w-full items-center gap-1.5 text-sm">
            <input
              type="checkbox"
              className="accent-(--accent)"
              checked={chosen.includes(name)}
              onChange={(e) => toggle(name, e.target.checked)}
            />
            <span className="wrap-anywhere">{parameterLabel(name, bound)}</span>
            <span className="max-w-40 truncate text-fg-3">{value}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The form that a saved question is run with: its parameters, with the query's own values to begin with. */
export function ParameterForm({
  parameters,
  busy,
  onRun,
}: {
  parameters: SavedParameter[];
  busy: boolean;
  /** With the values that are not the query's own. */
  onRun: (values: Record<string, string>) => void;
}) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const current = ({ name, value }: SavedParameter) => typed[name] ?? value;
  const others = parameters.filter((parameter) => current(parameter).trim() !== parameter.value);
  return (
    <form
      aria-label={t`Parameters`}
      className="mb-4 flex flex-wrap items-end gap-3 rounded-lg bg-sunk px-4 py-3"
      onSubmit={(e) => {
        e.preventDefault();
        onRun(Object.fromEntries(others.map((parameter) => [parameter.name, current(parameter).trim()])));
      }}
    >
      {parameters.map((parameter) => (
        <div key={parameter.name} className="w-44">
          <Field label={parameterLabel(parameter.name, parameter.bound)}>
            <ParameterInput
              parameter={parameter}
              kind={parameter.kind}
              value={current(parameter)}
              onChange={(value) => setTyped({ ...typed, [parameter.name]: value })}
            />
          </Field>
        </div>
      ))}
      <Button type="submit" variant="primary" busy={busy}>
        <Trans>Run</Trans>
      </Button>
      {others.length > 0 && (
        <Button variant="quiet" onClick={() => setTyped({})}>
          <Trans>Reset</Trans>
        </Button>
      )}
    </form>
  );
}
