import { t } from "@lingui/core/macro";
import type { ConnectionSettings, WarehouseKind } from "../../host/bindings";
import { Field, Input, SettingRow, Switch } from "../../kit/field";
import { readingAhead } from "./readAhead";

/** Returns whether rows are read before they are asked for, and how many where that may cost something. */
export function ReadAheadFields({
  kind,
  settings,
  onChange,
}: {
  kind: WarehouseKind;
  settings: ConnectionSettings;
  onChange: (settings: ConnectionSettings) => void;
}) {
  const how = readingAhead(kind);
  const { previews } = settings;
  const help = {
    whole: t`With the first question, Vitrine samples the tables and indexes stored values so that it can find them. Connecting alone never does this. You can pause it.`,
    queried: t`With the first question, Vitrine reads the first rows of each table with one limited query, and derives the profile, value index and keys from them. These queries are billed like any other. Views are skipped, because a few of their rows may require reading all of their tables.`,
    listed: t`With the first question, Vitrine lists a few rows of each table, which BigQuery does free of charge, and derives the profile, value index and keys from them. No query is run for this.`,
  }[how];
  return (
    <>
      <SettingRow label={t`Read ahead`} help={help}>
        <Switch
          label={t`Read ahead`}
          checked={settings.readAhead}
          onChange={(readAhead) => onChange({ ...settings, readAhead })}
        />
      </SettingRow>
      {how !== "whole" && (
        <div className="flex gap-3">
          <div className="min-w-0 flex-1">
            <Field
              label={how === "listed" ? t`Rows listed per table` : t`Rows read per table`}
              help={how === "listed" ? t`Free of charge. 0 lists none.` : t`0 reads none.`}
            >
              <Digits
                value={previews.rows}
                onChange={(rows) => onChange({ ...settings, previews: { ...previews, rows } })}
              />
            </Field>
          </div>
          <div className="min-w-0 flex-1">
            <Field
              label={how === "listed" ? t`Tables listed` : t`Tables read`}
              help={
                how === "listed"
                  ? t`Views and external tables cannot be listed.`
                  : t`One query per table, 60 seconds at most.`
              }
            >
              <Digits
                value={previews.tables}
                onChange={(tables) => onChange({ ...settings, previews: { ...previews, tables } })}
              />
            </Field>
          </div>
        </div>
      )}
    </>
  );
}

function Digits({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <Input
      inputMode="numeric"
      value={String(value)}
      onChange={(e) => {
        const digits = e.target.value.replace(/[^0-9]/g, "").slice(0, 7);
        onChange(digits === "" ? 0 : parseInt(digits, 10));
      }}
    />
  );
}
