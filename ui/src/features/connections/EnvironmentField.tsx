import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ENVIRONMENT_COLORS, EnvironmentBadge, EnvironmentDot } from "../../domain/environment";
import type { Environment, EnvironmentColor } from "../../host/bindings";
import { Input } from "../../kit/field";
import { lazyRecord } from "../../kit/lazyRecord";
import { Segmented } from "../../kit/segmented";
import { Select } from "../../kit/select";

const USUAL: Record<string, Environment> = {
  development: { name: "development", color: "green" },
  staging: { name: "staging", color: "amber" },
  production: { name: "production", color: "red" },
};

const COLOR_NAMES: Record<EnvironmentColor, string> = lazyRecord({
  green: () => t`Green`,
  amber: () => t`Amber`,
  red: () => t`Red`,
  blue: () => t`Blue`,
  violet: () => t`Violet`,
  gray: () => t`Gray`,
});

/** The environment of a connection: none, a standard one, or a custom name and colour. */
export function EnvironmentField({
  value,
  onChange,
}: {
  value: Environment | null;
  onChange: (environment: Environment | null) => void;
}) {
  const usual = value && USUAL[value.name]?.color === value.color ? value.name : null;
  const chosen = value === null ? "none" : (usual ?? "own");
  return (
    <div>
      <span className="mb-1 block font-medium text-fg-2 text-sm">
        <Trans>Environment</Trans>
      </span>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label={t`Environment`}
          value={chosen}
          choices={[
            { value: "none", label: t`None` },
            ...Object.values(USUAL).map(({ name, color }) => ({
              value: name,
              label: name[0]!.toUpperCase() + name.slice(1),
              icon: <EnvironmentDot color={color} />,
            })),
            { value: "own", label: t`Other` },
          ]}
          onChange={(next) =>
            onChange(next === "none" ? null : (USUAL[next] ?? { name: value?.name ?? "", color: "blue" }))
          }
        />
        {chosen === "own" && value && (
          <>
            <Input
              aria-label={t`Name of the environment`}
              className="w-40"
              maxLength={40}
              value={value.name}
              placeholder={t`such as audit`}
              onChange={(e) => onChange({ ...value, name: e.target.value })}
            />
            <Select
              label={t`Colour`}
              value={value.color}
              choices={ENVIRONMENT_COLORS.map((color) => ({ value: color, label: COLOR_NAMES[color] }))}
              onChange={(color) => onChange({ ...value, color })}
            />
          </>
        )}
        {value && value.name !== "" && <EnvironmentBadge environment={value} />}
      </div>
      <p className="mt-1 text-fg-3 text-xs">
        <Trans>Shown wherever you ask this connection a question.</Trans>
      </p>
    </div>
  );
}
