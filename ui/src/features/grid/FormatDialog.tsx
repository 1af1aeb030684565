import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type RefObject, useMemo, useState } from "react";
import type { ResultColumn } from "../../host/bindings";
import { Button } from "../../kit/button";
import { CellValue } from "../../kit/cell";
import { Dialog } from "../../kit/dialog";
import { Field, Input } from "../../kit/field";
import { decimals } from "../../kit/format";
import { locale } from "../../kit/language";
import { lazyRecord } from "../../kit/lazyRecord";
import { Segmented } from "../../kit/segmented";
import { Select } from "../../kit/select";
import type { ValueFormatter } from "../../kit/show";
import { SuggestInput } from "../../kit/suggest";
import { currencies, type Format, type FormatKind, formatKinds, MOST_PLACES, placesOf, showAs } from "./columnFormat";

type Kind = FormatKind | "usual";

const NAMES: Record<Kind, string> = lazyRecord({
  usual: () => t`Automatic`,
  exact: () => t`As in the data`,
  decimals: () => t`Decimals`,
  percent: () => t`Percent`,
  currency: () => t`Currency`,
});

/** The display format of a column. Its values do not change. */
export function FormatDialog({
  column,
  format,
  usual,
  example,
  onFormat,
  finalFocus,
  onClose,
}: {
  column: ResultColumn;
  format: Format | undefined;
  /** The default format of the column. */
  usual: ValueFormatter;
  /** One of its values; null if none is loaded. */
  example: string | null;
  /** Null for the usual one. */
  onFormat: (format: Format | null) => void;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<Kind>(format?.kind ?? "usual");
  const [whole, setWhole] = useState(format?.kind === "percent" && format.whole);
  const [currency, setCurrency] = useState(format?.kind === "currency" ? format.currency : usualCurrency());
  /** The typed text; null is the default of the kind. */
  const [typed, setTyped] = useState<string | null>(format && "places" in format ? String(format.places) : null);
  const known = useMemo(() => currencies().map(({ code, name }) => ({ value: code, note: name })), []);

  const code = currency.trim().toUpperCase();
  const isCurrency = known.some(({ value }) => value === code);
  const ownPlaces = kind === "percent" ? 1 : kind === "currency" && isCurrency ? placesOf(code) : 2;
  const places = typed === null ? ownPlaces : Number(typed);
  const problem = problemOf(kind, typed, isCurrency);
  const next: Format | null =
    kind === "usual" || problem
      ? null
      : kind === "exact"
        ? { kind }
        : kind === "decimals"
          ? { kind, places }
          : kind === "percent"
            ? { kind, places, whole }
            : { kind, currency: code, places };
  const apply = () => {
    if (!problem) onFormat(next);
  };

  return (
    <Dialog
      open
      onClose={onClose}
      finalFocus={finalFocus}
      title={t`Format ${column.name}`}
      width="w-100"
      footer={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" disabled={problem !== null} onClick={apply}>
            <Trans>Apply</Trans>
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(e) => {
          e.preventDefault();
          apply();
        }}
      >
        <Select
          label={t`Show values`}
          value={kind}
          choices={(["usual", ...formatKinds(column.type)] as Kind[]).map((value) => ({
            value,
            label: NAMES[value],
          }))}
          onChange={(chosen) => {
            setKind(chosen);
            setTyped(null);
          }}
        />
        {kind === "percent" && (
          <Segmented
            label={t`Stored values`}
            value={whole ? "whole" : "part"}
            choices={[
              { value: "part", label: t`${decimals(0.25, 2)} is ${showAs(QUARTER)("0.25")}` },
              { value: "whole", label: t`25 is ${showAs(QUARTER)("0.25")}` },
            ]}
            onChange={(chosen) => setWhole(chosen === "whole")}
          />
        )}
        {kind === "currency" && (
          <Field label={t`Currency`} help={t`Amounts are not converted.`}>
            <SuggestInput
              label={t`Currency`}
              value={currency}
              suggestions={known}
              status={null}
              onChange={setCurrency}
              onOpen={() => {}}
            />
          </Field>
        )}
        {(kind === "decimals" || kind === "percent" || kind === "currency") && (
          <Field label={t`Digits after the decimal point`}>
            <Input
              className="max-w-20"
              inputMode="numeric"
              value={typed ?? String(ownPlaces)}
              onChange={(e) => setTyped(e.target.value.trim())}
            />
          </Field>
        )}
        {problem ? (
          <p role="alert" className="text-bad text-sm">
            {problem}
          </p>
        ) : (
          example !== null && (
            <p className="nums truncate rounded-md bg-sunk px-3 py-2 text-sm">
              <span className="text-fg-3">{example}</span>
              {" → "}
              <CellValue value={example} show={next ? showAs(next) : usual} />
            </p>
          )
        )}
        <p className="text-fg-3 text-sm">
          <Trans>Only the display changes. Copies, exports and opened values stay exact.</Trans>
        </p>
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

const QUARTER: Format = { kind: "percent", places: 0, whole: false };

function problemOf(kind: Kind, places: string | null, isCurrency: boolean): string | null {
  if (kind === "currency" && !isCurrency) return t`Enter a currency code, such as EUR.`;
  if (places === null || kind === "usual" || kind === "exact") return null;
  return /^\d+$/.test(places) && Number(places) <= MOST_PLACES ? null : t`Enter a number from 0 to ${MOST_PLACES}.`;
}

/** Common currencies of this language; others can be typed. */
function usualCurrency(): string {
  return /^(de|fr)/.test(locale()) ? "EUR" : "USD";
}
