import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { ConnectionSettings, ScanCap, WarehouseKind } from "../../host/bindings";
import { Field, Input } from "../../kit/field";
import { capOf, capText, dollarsOf, effectiveLimits, meteringOf, moneyText } from "./billing";

/** Limits of billed bytes, or of read bytes if the database reports only those. */
export function BillingFields({
  kind,
  settings,
  onChange,
}: {
  kind: WarehouseKind;
  settings: ConnectionSettings;
  onChange: (settings: ConnectionSettings) => void;
}) {
  const how = meteringOf(kind);
  if (how === "untold") return null;
  const { scans } = settings;
  const { price, question, month } = effectiveLimits(scans, kind);
  const billed = how === "billed";
  const priced = price !== null;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">{billed ? t`Cost limits` : t`Read limits`}</legend>
      <div className="flex gap-3">
        <div className="min-w-0 flex-1">
          <Field
            label={t`Limit per question`}
            help={
              priced
                ? t`For all its queries together, such as 50 GB or $2. Leave empty for no limit.`
                : t`For all its queries together, such as 50 GB, or $2 if a price per TiB is set. Leave empty for no limit.`
            }
          >
            <Cap
              value={question}
              priced={priced}
              onChange={(question) => onChange({ ...settings, scans: { ...scans, question } })}
            />
          </Field>
        </div>
        <div className="min-w-0 flex-1">
          <Field
            label={t`Limit per month`}
            help={
              priced
                ? t`For all queries of this connection, such as 2 TB or $20. Leave empty for no limit.`
                : t`For all queries of this connection, such as 2 TB, or $20 if a price per TiB is set. Leave empty for no limit.`
            }
          >
            <Cap
              value={month}
              priced={priced}
              onChange={(month) => onChange({ ...settings, scans: { ...scans, month } })}
            />
          </Field>
        </div>
        <div className="w-40">
          <Field
            label={t`Price per TiB`}
            help={
              billed
                ? t`$6.25 in the US on 2026-11-25.`
                : t`Your cost of reading a TiB, such as $1.50. Leave empty to show no costs.`
            }
          >
            <Price
              value={price}
              usual={effectiveLimits({ ...scans, price: null }, kind).price}
              onChange={(price) => onChange({ ...settings, scans: { ...scans, price } })}
            />
          </Field>
        </div>
      </div>
      <p className="text-fg-3 text-sm">
        {billed ? (
          <Trans>
            Every query is estimated before it runs, free of charge. A query is billed for at most 10 GB unless the
            address sets another limit. Queries that would exceed a limit are not run.
          </Trans>
        ) : (
          <Trans>
            Bytes are counted as read by the server, uncompressed. If the server supports it, each query is estimated
            before it runs. Queries that would exceed a limit are not run, and the server stops those that exceed it
            anyway.
          </Trans>
        )}
      </p>
    </fieldset>
  );
}

/** Keeps the typed text and uses the part that can be parsed as the limit. Money needs a price. */
function Cap({ value, priced, onChange }: { value: ScanCap; priced: boolean; onChange: (value: ScanCap) => void }) {
  const [text, setText] = useState(() => capText(value));
  const cap = capOf(text);
  const wrong = cap === null || (cap.money !== null && !priced);
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

function Price({
  value,
  usual,
  onChange,
}: {
  value: number | null;
  /** The limit if the field is empty. */
  usual: number | null;
  onChange: (value: number | null) => void;
}) {
  const shown = value === null ? "" : moneyText(value);
  const [text, setText] = useState(shown);
  return (
    <Input
      value={text}
      placeholder={usual === null ? t`none` : moneyText(usual)}
      onChange={(e) => {
        setText(e.target.value);
        const price = dollarsOf(e.target.value);
        if (price !== null || e.target.value.trim() === "") onChange(price);
      }}
      onBlur={() => setText(shown)}
    />
  );
}
