import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { ConnectionSettings, ScanCap } from "../../host/bindings";
import { Field, Input } from "../../kit/field";
import { capOf, capText, dollarsOf, moneyText } from "./billing";

/** What queries may be billed for. */
export function BillingFields({
  settings,
  onChange,
}: {
  settings: ConnectionSettings;
  onChange: (settings: ConnectionSettings) => void;
}) {
  const { scans } = settings;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">
        <Trans>What it may cost</Trans>
      </legend>
      <div className="flex gap-3">
        <div className="min-w-0 flex-1">
          <Field label={t`Limit of one question`} help={t`All its queries together: 50 GB, $2, or empty for none.`}>
            <Cap
              value={scans.question}
              onChange={(question) => onChange({ ...settings, scans: { ...scans, question } })}
            />
          </Field>
        </div>
        <div className="min-w-0 flex-1">
          <Field label={t`Limit of a month`} help={t`All queries of this connection: 2 TB, $20, or empty for none.`}>
            <Cap value={scans.month} onChange={(month) => onChange({ ...settings, scans: { ...scans, month } })} />
          </Field>
        </div>
        <div className="w-40">
          <Field label={t`Price of a TiB`} help={t`$6.25 in the US on 2026-11-25.`}>
            <Price value={scans.price} onChange={(price) => onChange({ ...settings, scans: { ...scans, price } })} />
          </Field>
        </div>
      </div>
      <p className="text-fg-3 text-sm">
        <Trans>
          Every query is estimated before it runs, free of charge. One query is billed for 10 GB at most, unless its
          address says otherwise. What would pass a limit is not run.
        </Trans>
      </p>
    </fieldset>
  );
}

/** What is typed stays as it is; what can be read of it is the limit. */
function Cap({ value, onChange }: { value: ScanCap; onChange: (value: ScanCap) => void }) {
  const [text, setText] = useState(() => capText(value));
  const wrong = capOf(text) === null;
  return (
    <Input
      value={text}
      placeholder={t`none`}
      aria-invalid={wrong}
      className={wrong ? "border-bad" : undefined}
      onChange={(e) => {
        setText(e.target.value);
        const cap = capOf(e.target.value);
        if (cap) onChange(cap);
      }}
      onBlur={() => setText(capText(value))}
    />
  );
}

function Price({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const [text, setText] = useState(() => moneyText(value));
  return (
    <Input
      value={text}
      onChange={(e) => {
        setText(e.target.value);
        const price = dollarsOf(e.target.value);
        if (price !== null) onChange(price);
      }}
      onBlur={() => setText(moneyText(value))}
    />
  );
}
