import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { parameterValue, useMethods } from "../../domain/methods";
import type { MethodInfo, ParameterInfo, ParameterValue, Settings } from "../../host/bindings";
import { Button } from "../../kit/button";
import { NumberInput, OptionalNumberInput, SettingRow } from "../../kit/field";
import { Select } from "../../kit/select";
import { hasDefaults, resetParameters, withValue } from "./methods";
import { PythonRow } from "./PythonRow";
import { changeSettings } from "./state";

/** The option without a value. */
const AUTOMATIC = "automatic";

/** The parameters of the methods that have some. */
export function MethodsSection({ settings }: { settings: Settings }) {
  const methods = useMethods((s) => s.list).filter((method) => method.parameters.length > 0);
  return (
    <div className="flex flex-col gap-9">
      {methods.map((method) => (
        <MethodPart key={method.name} method={method} settings={settings} />
      ))}
    </div>
  );
}

function MethodPart({ method, settings: { methods } }: { method: MethodInfo; settings: Settings }) {
  return (
    <section aria-label={method.label}>
      <div className="flex h-7 items-center justify-between gap-4">
        <h2 className="font-semibold text-lg">{method.label}</h2>
        {!hasDefaults(methods, method) && (
          <Button
            size="sm"
            variant="quiet"
            className="-mr-2.5"
            onClick={() => void changeSettings({ methods: resetParameters(methods, method) })}
          >
            <Trans>Reset to the paper's values</Trans>
          </Button>
        )}
      </div>
      <p className="mt-0.5 mb-1 max-w-140 text-fg-3 text-sm">{method.note}</p>
      {method.runsCode && <PythonRow />}
      {method.parameters.map((parameter) => (
        <SettingRow key={parameter.key} label={parameter.label} help={parameter.help}>
          <Control
            label={`${method.label}: ${parameter.label}`}
            parameter={parameter}
            value={parameterValue(methods, method, parameter)}
            onChange={(value) => void changeSettings({ methods: withValue(methods, method, parameter.key, value) })}
          />
        </SettingRow>
      ))}
    </section>
  );
}

function Control({
  label,
  parameter: { values },
  value,
  onChange,
}: {
  label: string;
  parameter: ParameterInfo;
  value: ParameterValue;
  onChange: (value: ParameterValue) => void;
}) {
  if (values.kind === "choice") {
    return (
      <Select
        label={label}
        className="w-44"
        value={value === null ? AUTOMATIC : String(value)}
        choices={values.choices.map((choice) => ({ ...choice, value: choice.value ?? AUTOMATIC }))}
        onChange={(next) => onChange(next === AUTOMATIC ? null : next)}
      />
    );
  }
  const { least, most, automatic } = values;
  const number = typeof value === "number" ? value : null;
  return automatic ? (
    <OptionalNumberInput
      label={label}
      empty={t`Automatic`}
      value={number}
      min={least}
      max={most}
      onChange={onChange}
    />
  ) : (
    <NumberInput label={label} value={number ?? least} min={least} max={most} onChange={onChange} />
  );
}
