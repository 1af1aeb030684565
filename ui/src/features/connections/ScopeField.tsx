import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { SchemaTables } from "../../host/bindings";
import { Field, Input } from "../../kit/field";
import { useTesting } from "./testing";

const NONE: SchemaTables[] = [];

/** The schemas that questions may use: ticked where a test has found them, else typed. */
export function ScopeField({ value, onChange }: { value: string[]; onChange: (schemas: string[]) => void }) {
  const found = useTesting((s) => s.test?.schemas ?? NONE);
  if (found.length === 0) {
    return (
      <Field
        label={t`Schemas`}
        help={t`Separated by commas; leave empty for all. A test lists them. Questions and typed queries can use nothing else.`}
      >
        <Input
          key={value.join(",")}
          defaultValue={value.join(", ")}
          placeholder={t`All schemas`}
          onBlur={(e) => onChange(splitNames(e.target.value))}
        />
      </Field>
    );
  }
  const names = [...new Set([...found.map((schema) => schema.name), ...value])];
  const toggle = (name: string, on: boolean) => {
    const next = on ? [...value, name] : value.filter((other) => other !== name);
    onChange(names.filter((other) => next.includes(other)));
  };
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-fg-2 text-sm">
        <Trans>Schemas</Trans>
      </legend>
      <div className="max-h-48 overflow-y-auto rounded-md border border-line px-3 py-1.5">
        {names.map((name) => {
          const tables = found.find((schema) => schema.name === name)?.tables;
          return (
            <label key={name} className="flex items-center gap-2 py-0.5">
              <input
                type="checkbox"
                className="accent-(--accent)"
                checked={value.includes(name)}
                onChange={(e) => toggle(name, e.target.checked)}
              />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="text-fg-3 text-xs">
                {tables === undefined ? t`not found` : plural(tables, { one: "# table", other: "# tables" })}
              </span>
            </label>
          );
        })}
      </div>
      <p className="mt-1 text-fg-3 text-xs">
        {value.length === 0
          ? t`None selected: all can be used.`
          : t`Questions and typed queries can use nothing else.`}
      </p>
    </fieldset>
  );
}

function splitNames(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
}
