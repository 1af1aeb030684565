import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ParameterInput, parameterLabel } from "../../domain/parameter";
import type { ParameterKind, SavedParameter } from "../../host/bindings";
import { lazyRecord } from "../../kit/lazyRecord";
import { type Choice, Select } from "../../kit/select";
import { TextButton } from "../../kit/textButton";
import { placeKey, setConstant, setPlace, useValues } from "./values";

const KINDS: Record<ParameterKind, string> = lazyRecord({
  text: () => t({ message: "Text", context: "kind of a value" }),
  number: () => t({ message: "Number", context: "kind of a value" }),
  date: () => t({ message: "Date", context: "kind of a value" }),
});

/** A field for each place that the query leaves open, and if wanted for each of its constants. Enter runs it. */
export function ParameterStrip({
  parameters,
  unread,
  constants,
  draftKey,
  warehouse,
  onRun,
}: {
  parameters: SavedParameter[] | null;
  /** True if the current text of the query cannot be parsed. */
  unread: boolean;
  /** True if constants are shown, too. */
  constants: boolean;
  draftKey: string;
  warehouse: string;
  onRun: () => void;
}) {
  const set = useValues((s) => s.constants[draftKey]);
  const places = useValues((s) => s.places);
  if (parameters === null && !unread) return null;
  const shown = (parameters ?? []).filter(({ open }) => open || constants);
  if (shown.length === 0 && !constants) return null;
  const isSet = Object.keys(set ?? {}).length > 0;
  return (
    <form
      aria-label={t`Parameters`}
      className="flex max-h-[40%] shrink-0 flex-wrap items-end gap-x-4 gap-y-2 overflow-y-auto border-line border-b bg-sunk px-6 py-2"
      onSubmit={(e) => {
        e.preventDefault();
        onRun();
      }}
    >
      {shown.map((parameter) =>
        parameter.open ? (
          <Place
            key={`:${parameter.name}`}
            parameter={parameter}
            typed={places[placeKey(warehouse, parameter.name)] ?? { kind: null, value: "" }}
            onChange={(typed) => setPlace(warehouse, parameter.name, typed)}
          />
        ) : (
          <div key={parameter.name} className="w-40">
            <Label>{parameterLabel(parameter.name, parameter.bound)}</Label>
            <ParameterInput
              label={parameterLabel(parameter.name, parameter.bound)}
              parameter={parameter}
              kind={parameter.kind}
              value={set?.[parameter.name] ?? parameter.value}
              onChange={(value) =>
                setConstant(draftKey, parameter.name, value.trim() === parameter.value ? null : value)
              }
            />
          </div>
        ),
      )}
      {constants && shown.some(({ open }) => !open) && (
        <TextButton
          disabled={!isSet}
          onClick={() => {
            for (const name of Object.keys(set ?? {})) setConstant(draftKey, name, null);
          }}
        >
          <Trans>Reset values</Trans>
        </TextButton>
      )}
      {constants && shown.length === 0 && (
        <p className="text-fg-2 text-sm">
          {unread ? (
            <Trans>The query cannot be parsed yet, so its parameters are unknown.</Trans>
          ) : (
            <Trans>This query has no parameters. Add one as a name with a colon, such as year = :year.</Trans>
          )}
        </p>
      )}
      {/* Several fields submit only with a button. */}
      <button type="submit" hidden />
    </form>
  );
}

function Label({ children }: { children: string }) {
  return (
    <span aria-hidden className="mb-1 block truncate font-medium text-fg-2 text-sm">
      {children}
    </span>
  );
}

function Place({
  parameter,
  typed,
  onChange,
}: {
  parameter: SavedParameter;
  typed: { kind: ParameterKind | null; value: string };
  onChange: (typed: { kind: ParameterKind | null; value: string }) => void;
}) {
  const name = `:${parameter.name}`;
  const kind = typed.kind ?? parameter.kind;
  const choices: Choice<ParameterKind>[] = (["text", "number", "date"] as const).map((value) => ({
    value,
    label: KINDS[value],
  }));
  return (
    <div>
      <span aria-hidden className="mb-1 block max-w-64 truncate font-mono text-fg-2 text-sm">
        {name}
      </span>
      <div className="flex gap-1.5">
        <div className="w-40">
          <ParameterInput
            label={name}
            parameter={parameter}
            kind={kind}
            value={typed.value}
            onChange={(value) => onChange({ ...typed, value })}
          />
        </div>
        <Select
          label={t`Type of ${name}`}
          value={kind}
          choices={choices}
          onChange={(kind) => onChange({ ...typed, kind })}
        />
      </div>
    </div>
  );
}
