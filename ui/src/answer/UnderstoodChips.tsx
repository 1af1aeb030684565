import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { ParameterInput, parameterLabel } from "../domain/parameter";
import { type ExplainedQuery, useKnownExplanation } from "../features/explain/state";
import type { RunModel } from "../features/graph/model/model";
import type { AppError } from "../host/bindings";
import { Button } from "../kit/button";
import { cx } from "../kit/cx";
import { ErrorNote } from "../kit/error";
import { lazyRecord } from "../kit/lazyRecord";
import { type Chip, chipsOf } from "./understood";
import { type Editable, runWithout, runWithValues } from "./useChips";

const KINDS: Record<Chip["kind"], string> = lazyRecord({
  measure: () => t({ message: "Measure", context: "what an answer counts or sums" }),
  group: () => t({ message: "For each", context: "what an answer has a row for" }),
  filter: () => t({ message: "Only", context: "before a condition on the rows" }),
  time: () => t({ message: "Time", context: "before a condition on a date" }),
  order: () => t({ message: "Order", context: "the order of the rows" }),
});

/** What was understood, as chips. Conditions can be removed and their values changed; each edit runs the query again at once. */
export function UnderstoodChips({
  run,
  query,
  editable: { conditions, limit },
}: {
  run: RunModel;
  query: ExplainedQuery;
  editable: Editable;
}) {
  const explanation = useKnownExplanation(query);
  const form = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [edited, setEdited] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const chips = chipsOf(run, explanation, conditions, limit);
  if (chips.length === 0) return null;
  const remove = async (without: string) => {
    if (busy) return;
    setBusy(true);
    await runWithout(run, without);
    setBusy(false);
  };
  const keyOf = ({ kind, text }: Chip) => `${kind} ${text}`;
  const open = chips.find((chip) => keyOf(chip) === edited && chip.parameters.length > 0);
  return (
    <section data-part="understood" tabIndex={-1} aria-label={t`Understood as`} className="mb-3 text-sm">
      <ul className="flex flex-wrap gap-1.5">
        {chips.map((chip, at) => (
          <li key={at} className="min-w-0 max-w-full">
            <ChipView
              chip={chip}
              busy={busy}
              form={chip === open ? form : null}
              onEdit={(button) => {
                if (busy) return;
                opener.current = button;
                setEdited(chip === open ? null : keyOf(chip));
              }}
              onRemove={(without) => void remove(without)}
            />
          </li>
        ))}
      </ul>
      {open && (
        <Values
          key={keyOf(open)}
          id={form}
          run={run}
          chip={open}
          onClose={() => {
            setEdited(null);
            opener.current?.focus();
          }}
        />
      )}
    </section>
  );
}

function ChipView({
  chip: { kind, text, without, parameters },
  busy,
  form,
  onEdit,
  onRemove,
}: {
  chip: Chip;
  busy: boolean;
  /** The id of its form, while that is open. */
  form: string | null;
  onEdit: (button: HTMLButtonElement) => void;
  onRemove: (without: string) => void;
}) {
  const open = form !== null;
  const label = (
    <>
      <span className="shrink-0 text-fg-3">{KINDS[kind]}</span>{" "}
      <span className="wrap-anywhere line-clamp-2 min-w-0">{text}</span>
    </>
  );
  const shape = "flex min-w-0 items-baseline gap-1.5 px-2 py-0.5 text-left";
  return (
    <span
      className={cx(
        "flex max-w-full items-stretch rounded-md border",
        open ? "border-accent bg-accent-soft" : "border-line bg-sunk",
      )}
    >
      {parameters.length > 0 ? (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={form ?? undefined}
          // A disabled button would lose the focus.
          aria-disabled={busy || undefined}
          title={t`Change the value`}
          onClick={(event) => onEdit(event.currentTarget)}
          className={cx(shape, "rounded-md underline decoration-dotted underline-offset-3 hover:bg-hover")}
        >
          {label}
        </button>
      ) : (
        <span className={shape}>{label}</span>
      )}
      {without !== null && (
        <button
          type="button"
          aria-label={t`Remove this condition: ${text}`}
          title={t`Remove this condition and run again`}
          aria-disabled={busy || undefined}
          onClick={() => onRemove(without)}
          className="flex shrink-0 items-center rounded-md px-1 text-fg-3 hover:bg-hover hover:text-fg"
        >
          <X size={13} aria-hidden />
        </button>
      )}
    </span>
  );
}

/** The values of a chip. Enter runs the query with them, Escape closes. */
function Values({
  id,
  run,
  chip: { text, parameters },
  onClose,
}: {
  id: string;
  run: RunModel;
  chip: Chip;
  onClose: () => void;
}) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const [values, setValues] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const changed = parameters.filter(({ name, value }) => (values[name] ?? value).trim() !== value);
  const note = useId();
  return (
    <form
      id={id}
      aria-label={t`Change: ${text}`}
      aria-describedby={note}
      className="mt-2 max-w-160 rounded-md border border-line p-3"
      onSubmit={(e) => {
        e.preventDefault();
        if (changed.length === 0 || busy) return;
        setBusy(true);
        setError(null);
        const given = changed.map(({ name, value }) => [name, values[name] ?? value]);
        void runWithValues(run, Object.fromEntries(given))
          .then((failed) => {
            setError(failed);
            // The button that was pressed has lost the focus.
            if (failed) first.current?.focus();
            else onClose();
          })
          .finally(() => setBusy(false));
      }}
      onKeyDown={(e) => {
        if (e.key !== "Escape") return;
        e.stopPropagation();
        onClose();
      }}
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        {parameters.map((parameter, at) => (
          <div key={parameter.name} className="w-44">
            <span aria-hidden className="mb-1 block truncate font-medium text-fg-2">
              {parameterLabel(parameter.name, parameter.bound)}
            </span>
            <ParameterInput
              ref={at === 0 ? first : undefined}
              label={parameterLabel(parameter.name, parameter.bound)}
              parameter={parameter}
              kind={parameter.kind}
              value={values[parameter.name] ?? parameter.value}
              onChange={(value) => setValues({ ...values, [parameter.name]: value })}
            />
          </div>
        ))}
        <Button type="submit" variant="primary" size="sm" busy={busy} disabled={changed.length === 0}>
          <Trans>Run with this value</Trans>
        </Button>
        <Button size="sm" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
      <p id={note} className="mt-2 text-fg-3">
        <Trans>The query runs again with this value. No model is asked.</Trans>
      </p>
      {error && (
        <div className="mt-2">
          <ErrorNote error={error} compact />
        </div>
      )}
    </form>
  );
}
