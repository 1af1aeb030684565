import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { FormEvent } from "react";
import type { Definition } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Field, Input, Switch, Textarea } from "../../kit/field";
import { discardFormDraft, useFormDraft } from "../../kit/formDrafts";

/** One definition: what people say, what it means, and the condition that says the same in SQL. */
export function DefinitionForm({
  place,
  before,
  label = before ? t`Edit the definition of ${before.term}` : t`New definition`,
  onKeep,
  onCancel,
}: {
  /** Where what is typed is kept until it is sent or given up (`kit/formDrafts.ts`). */
  place: string;
  before: Definition | null;
  /** The accessible name of the form. */
  label?: string;
  onKeep: (definition: Definition) => void;
  /** By Cancel, or by Escape, after which what is typed is there again. */
  onCancel: () => void;
}) {
  const [typed, setTyped] = useFormDraft(place, {
    term: before?.term ?? "",
    synonyms: before?.synonyms.join(", ") ?? "",
    meaning: before?.meaning ?? "",
    condition: before?.condition ?? "",
    always: before?.always ?? false,
    subject: before?.subject ?? "",
  });
  const { term, synonyms, meaning, condition, always, subject } = typed;
  const set = (part: Partial<typeof typed>) => setTyped({ ...typed, ...part });
  // Other words for a table or a column say something by themselves.
  const renamed = synonyms.replaceAll(",", "").trim() !== "";
  const renames = (before?.subject ?? null) !== null && renamed;
  const merges = always && renamed;
  const says = renames || merges || meaning.trim() !== "" || condition.trim() !== "";
  const holds = !always || (subject.trim() !== "" && (condition.trim() !== "" || renamed));
  const complete = term.trim() !== "" && says && holds;
  const keep = (e: FormEvent) => {
    e.preventDefault();
    if (!complete) return;
    const words = synonyms.split(",").map((word) => word.trim());
    // Values that count as one keep their blanks and commas where they were not typed anew.
    const kept = before && synonyms === before.synonyms.join(", ") ? before.synonyms : null;
    onKeep({
      term: term === before?.term ? term : term.trim(),
      synonyms: kept ?? words.filter((word) => word !== ""),
      meaning: meaning.trim(),
      condition: condition.trim() === "" ? null : condition.trim(),
      always,
      subject: subject.trim() === "" ? null : subject.trim(),
      source: before?.source ?? "user",
    });
  };
  return (
    <form
      aria-label={label}
      className="mt-3 flex flex-col gap-3 rounded-lg border border-line bg-sunk px-4 py-3"
      onSubmit={keep}
      onKeyDown={(e) => e.key === "Escape" && onCancel()}
    >
      <div className="flex gap-3">
        <div className="min-w-0 flex-1">
          <Field label={t`Term`}>
            <Input
              autoFocus
              value={term}
              maxLength={80}
              placeholder={t`active customer`}
              onChange={(e) => set({ term: e.target.value })}
            />
          </Field>
        </div>
        <div className="min-w-0 flex-1">
          <Field label={t`Synonyms`}>
            <Input
              value={synonyms}
              placeholder={t`separated by commas`}
              onChange={(e) => set({ synonyms: e.target.value })}
            />
          </Field>
        </div>
      </div>
      <Field label={t`Meaning`}>
        <Textarea rows={2} maxLength={600} value={meaning} onChange={(e) => set({ meaning: e.target.value })} />
      </Field>
      <Field label={t`Condition in SQL (optional)`}>
        <Input
          className="font-mono text-sm"
          value={condition}
          maxLength={600}
          placeholder="last_order >= date '2026-01-01'"
          onChange={(e) => set({ condition: e.target.value })}
        />
      </Field>
      <div className="flex items-center justify-between gap-6">
        <div className="min-w-0">
          <div className="font-medium text-fg-2 text-sm">
            <Trans>Always</Trans>
          </div>
          <p className="mt-0.5 text-fg-3 text-xs">
            <Trans>Apply this condition to every answer, unless a question asks for the other rows.</Trans>{" "}
            <Trans>
              Without a condition, enter a column (table.column). The synonyms are then its values that match the
              term.
            </Trans>
          </p>
        </div>
        <Switch label={t`Always`} checked={always} onChange={(on) => set({ always: on })} />
      </div>
      {always && (
        <Field label={t`Table`}>
          <Input
            className="font-mono text-sm"
            value={subject}
            maxLength={600}
            placeholder="orders"
            onChange={(e) => set({ subject: e.target.value })}
          />
        </Field>
      )}
      <div className="flex justify-end gap-2">
        <Button
          size="sm"
          onClick={() => {
            discardFormDraft(place);
            onCancel();
          }}
        >
          <Trans>Cancel</Trans>
        </Button>
        <Button size="sm" type="submit" variant="primary" disabled={!complete}>
          <Trans>Save</Trans>
        </Button>
      </div>
    </form>
  );
}
