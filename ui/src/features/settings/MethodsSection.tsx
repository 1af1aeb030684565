import type { Settings } from "../../host/bindings";
import { Button } from "../../kit/button";
import { NumberInput, OptionalNumberInput, SettingRow } from "../../kit/field";
import { Select } from "../../kit/select";
import { STRATEGY_NAMES, STRATEGY_NOTES } from "../../kit/strategies";
import {
  asInPaper,
  keysOf,
  type Method,
  PARAMETERS,
  parameterOf,
  reset,
  type Value,
  valueIn,
  withValue,
} from "./methods";
import { PythonRow } from "./PythonRow";
import { changeSettings } from "./state";

/** Stands for no value where a choice is made. */
const AUTOMATIC = "automatic";

/** The parameters of the published methods. */
export function MethodsSection({ settings }: { settings: Settings }) {
  return (
    <div className="flex flex-col gap-9">
      {(Object.keys(PARAMETERS) as Method[]).map((method) => (
        <MethodPart key={method} method={method} settings={settings} />
      ))}
    </div>
  );
}

function MethodPart({ method, settings: { methods } }: { method: Method; settings: Settings }) {
  const name = STRATEGY_NAMES[method];
  return (
    <section aria-label={name}>
      <div className="flex h-7 items-center justify-between gap-4">
        <h2 className="font-semibold text-lg">{name}</h2>
        {!asInPaper(methods, method) && (
          <Button
            size="sm"
            variant="quiet"
            className="-mr-2.5"
            onClick={() => void changeSettings({ methods: reset(methods, method) })}
          >
            Reset to the paper's values
          </Button>
        )}
      </div>
      <p className="mt-0.5 mb-1 max-w-140 text-fg-3 text-sm">{STRATEGY_NOTES[method]}</p>
      {method === "prospy" && <PythonRow />}
      {keysOf(method).map((key) => {
        const { label, help } = parameterOf(method, key);
        return (
          <SettingRow key={key} label={label} help={help}>
            <Control
              method={method}
              name={key}
              value={valueIn(methods, method, key)}
              onChange={(value) => void changeSettings({ methods: withValue(methods, method, key, value) })}
            />
          </SettingRow>
        );
      })}
    </section>
  );
}

function Control({
  method,
  name,
  value,
  onChange,
}: {
  method: Method;
  name: string;
  value: Value;
  onChange: (value: Value) => void;
}) {
  const parameter = parameterOf(method, name);
  const label = `${STRATEGY_NAMES[method]}: ${parameter.label}`;
  if (parameter.kind === "choice") {
    return (
      <Select
        label={label}
        className="w-44"
        value={value === null ? AUTOMATIC : String(value)}
        choices={parameter.choices.map((choice) => ({ ...choice, value: choice.value ?? AUTOMATIC }))}
        onChange={(next) => onChange(next === AUTOMATIC ? null : next)}
      />
    );
  }
  const { min, max } = parameter;
  const number = typeof value === "number" ? value : null;
  return parameter.automatic ? (
    <OptionalNumberInput label={label} empty="Automatic" value={number} min={min} max={max} onChange={onChange} />
  ) : (
    <NumberInput label={label} value={number ?? min} min={min} max={max} onChange={onChange} />
  );
}
