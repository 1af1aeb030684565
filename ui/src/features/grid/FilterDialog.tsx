import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type RefObject, useState } from "react";
import type { ResultColumn } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { Field, Input } from "../../kit/field";
import { lazyRecord } from "../../kit/lazyRecord";
import { Segmented } from "../../kit/segmented";
import { Select } from "../../kit/select";
import { type Filter, type FilterKind, filterKinds, problemOf } from "./filter";

const NAMES: Record<FilterKind, string> = lazyRecord({
  contains: () => t`Contains`,
  equals: () => t`Equals`,
  range: () => t`Is between`,
  empty: () => t`Is empty`,
  filled: () => t`Is not empty`,
});

/** Which rows a column lets through. */
export function FilterDialog({
  column,
  filter,
  onFilter,
  finalFocus,
  onClose,
}: {
  column: ResultColumn;
  filter: Filter | undefined;
  onFilter: (filter: Filter | null) => void;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}) {
  const kinds = filterKinds(column.type);
  const flag = column.type === "boolean";
  const [kind, setKind] = useState<FilterKind>(filter?.kind ?? kinds[0]!);
  const [text, setText] = useState(filter && "text" in filter ? filter.text : flag ? "true" : "");
  const [from, setFrom] = useState(filter?.kind === "range" ? filter.from : "");
  const [to, setTo] = useState(filter?.kind === "range" ? filter.to : "");
  const [problem, setProblem] = useState<string | null>(null);
  const dates = column.type === "date" || column.type === "timestamp";

  const apply = () => {
    const next: Filter =
      kind === "range" ? { kind, from, to } : kind === "contains" || kind === "equals" ? { kind, text } : { kind };
    const wrong = problemOf(next, column.type);
    setProblem(wrong);
    if (!wrong) onFilter(next);
  };

  return (
    <Dialog
      open
      onClose={onClose}
      finalFocus={finalFocus}
      title={t`Filter ${column.name}`}
      width="w-100"
      footer={
        <>
          {filter && (
            <Button variant="quiet" className="mr-auto" onClick={() => onFilter(null)}>
              <Trans>Remove filter</Trans>
            </Button>
          )}
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" onClick={apply}>
            <Trans>Filter</Trans>
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
          label={t`Condition`}
          value={kind}
          choices={kinds.map((value) => ({ value, label: NAMES[value] }))}
          onChange={(next) => {
            setKind(next);
            setProblem(null);
          }}
        />
        {kind === "equals" && flag && (
          <Segmented
            label={t`Value`}
            value={text}
            choices={[
              { value: "true", label: "true" },
              { value: "false", label: "false" },
            ]}
            onChange={setText}
          />
        )}
        {(kind === "contains" || (kind === "equals" && !flag)) && (
          <Field label={kind === "equals" ? t`Value` : t`Text`}>
            <Input autoFocus value={text} onChange={(e) => setText(e.target.value)} />
          </Field>
        )}
        {kind === "range" && (
          <div className="grid grid-cols-2 gap-3">
            <Field label={t`From`}>
              <Input
                autoFocus
                value={from}
                placeholder={dates ? "2025-01-31" : undefined}
                onChange={(e) => setFrom(e.target.value)}
              />
            </Field>
            <Field label={t`To`}>
              <Input
                value={to}
                placeholder={dates ? "2025-12-31" : undefined}
                onChange={(e) => setTo(e.target.value)}
              />
            </Field>
          </div>
        )}
        {kind === "empty" && (
          <p className="text-fg-3 text-sm">
            <Trans>Rows with NULL or empty text.</Trans>
          </p>
        )}
        {kind === "filled" && (
          <p className="text-fg-3 text-sm">
            <Trans>Rows with a value.</Trans>
          </p>
        )}
        {problem && (
          <p role="alert" className="text-bad text-sm">
            {problem}
          </p>
        )}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
