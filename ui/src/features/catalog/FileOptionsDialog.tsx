import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { AppError, DateOrder, DecimalSign, FileOptions, FileReading } from "../../host/bindings";
import { toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Field, Input, SettingRow, Switch } from "../../kit/field";
import { Segmented } from "../../kit/segmented";
import { readFileAs } from "./state";

const DECIMALS = [
  {
    value: "auto",
    get label() {
      return t`Automatic`;
    },
  },
  { value: "comma", label: "1.200,50" },
  { value: "point", label: "1,200.50" },
];
const ORDERS = [
  {
    value: "auto",
    get label() {
      return t`Automatic`;
    },
  },
  {
    value: "dayFirst",
    get label() {
      return t`Day first`;
    },
  },
  {
    value: "monthFirst",
    get label() {
      return t`Month first`;
    },
  },
];

/** No option set: everything is detected from the file. */
const NOTHING: FileOptions = {
  encoding: null,
  delimiter: null,
  decimal: null,
  dateOrder: null,
  headerRow: null,
  keepRows: false,
  asText: [],
};

/** The user's options for a table's file. They are stored for the file, and the file is read again. */
export function FileOptionsDialog({
  uri,
  reading,
  columns,
  onClose,
}: {
  uri: string;
  reading: FileReading;
  columns: string[];
  onClose: () => void;
}) {
  const [options, setOptions] = useState(reading.options);
  const [header, setHeader] = useState(options.headerRow?.toString() ?? "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const change = (part: Partial<FileOptions>) => setOptions((old) => ({ ...old, ...part }));
  const asText = options.asText;
  const isNumber = /^\d{0,7}$/.test(header.trim());
  const read = async (next: FileOptions) => {
    setBusy(true);
    try {
      await readFileAs(uri, reading.table, next);
      onClose();
    } catch (thrown) {
      setError(toAppError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Reading options for ${reading.file}`}
      description={t`Saved for this file. Anything left on automatic is detected from the file.`}
      footer={
        <>
          <Button disabled={busy} onClick={() => void read(NOTHING)}>
            <Trans>Reset</Trans>
          </Button>
          <Button
            variant="primary"
            disabled={busy || !isNumber}
            onClick={() => void read({ ...options, headerRow: header.trim() === "" ? null : Number(header) })}
          >
            <Trans>Reload file</Trans>
          </Button>
        </>
      }
    >
      {error && (
        <div className="mb-3">
          <ErrorNote error={error} compact />
        </div>
      )}
      <SettingRow label={t`Numbers`}>
        <Segmented
          label={t`Decimal separator`}
          value={options.decimal ?? "auto"}
          choices={DECIMALS}
          onChange={(value) => change({ decimal: value === "auto" ? null : (value as DecimalSign) })}
        />
      </SettingRow>
      <SettingRow label={t`Dates`} help={t`For dates such as 03/04/2024`}>
        <Segmented
          label={t`Date order`}
          value={options.dateOrder ?? "auto"}
          choices={ORDERS}
          onChange={(value) => change({ dateOrder: value === "auto" ? null : (value as DateOrder) })}
        />
      </SettingRow>
      <SettingRow label={t`Keep totals and notes as rows`}>
        <Switch
          label={t`Keep totals and notes as rows`}
          checked={options.keepRows}
          onChange={(keepRows) => change({ keepRows })}
        />
      </SettingRow>
      <div className="grid grid-cols-3 gap-3 border-line border-b py-3">
        <Field label={t`Header row`} help={t`0 for none`}>
          <Input
            inputMode="numeric"
            value={header}
            aria-invalid={!isNumber}
            placeholder={reading.headerRow?.toString() ?? "0"}
            onChange={(e) => setHeader(e.target.value)}
          />
        </Field>
        {reading.encoding && (
          <Field label={t`Encoding`}>
            <Input
              value={options.encoding ?? ""}
              placeholder={reading.encoding}
              onChange={(e) => change({ encoding: e.target.value.trim() || null })}
            />
          </Field>
        )}
        {!reading.sheet && (
          <Field label={t`Delimiter`} help={t`One character, or tab`}>
            <Input
              value={options.delimiter ?? ""}
              placeholder={reading.delimiter === "\t" ? t`tab` : (reading.delimiter ?? "")}
              onChange={(e) => change({ delimiter: e.target.value || null })}
            />
          </Field>
        )}
      </div>
      <fieldset className="pt-3">
        <legend className="font-medium">
          <Trans>Keep as text</Trans>
        </legend>
        <div className="mt-1 grid max-h-48 grid-cols-2 gap-x-4 overflow-y-auto">
          {columns.map((column) => (
            <label key={column} className="flex items-center gap-2 py-0.5 text-sm">
              <input
                type="checkbox"
                checked={asText.includes(column)}
                onChange={(e) =>
                  change({
                    asText: e.target.checked ? [...asText, column] : asText.filter((other) => other !== column),
                  })
                }
              />
              <span className="truncate" title={column}>
                {column}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </Dialog>
  );
}
