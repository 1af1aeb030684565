import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Folder } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AppError, WatchAlert, WatchFormat, WatchInterval, WatchPlan } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Field, Input } from "../../kit/field";
import { Select } from "../../kit/select";
import { TextButton } from "../../kit/textButton";
import { loadWatches, startWatching, useWatches, watchQuestion } from "./state";
import { ALERTS, clockOf, INTERVALS, minuteOf, USUAL_PLAN, weekdayName } from "./words";

const choicesOf = <T extends string>(words: Record<T, string>, values: T[]) =>
  values.map((value) => ({ value, label: words[value] }));

/** Edits when a saved question runs by itself, and when it is reported. */
export function WatchDialog() {
  const question = useWatches((s) => s.watching);
  const before = useWatches((s) => s.list.find(({ watch }) => watch.savedId === question?.id)?.watch.plan);
  // Until the plans are loaded, an existing one would be replaced unseen.
  const ready = useWatches((s) => s.status === "ready");
  const unloaded = useWatches((s) => (s.status === "failed" ? s.error : null));
  const [plan, setPlan] = useState<WatchPlan>(USUAL_PLAN);
  const [time, setTime] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  /** The question whose plan is in the form. */
  const filled = useRef<string | null>(null);
  useEffect(() => {
    if (question !== null && useWatches.getState().status !== "ready") void loadWatches();
  }, [question]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each question, when its plan is known
  useEffect(() => {
    // A later load leaves what was typed.
    if (filled.current !== null && filled.current === question?.id) return;
    filled.current = ready ? (question?.id ?? null) : null;
    const first = before ?? USUAL_PLAN;
    setPlan(first);
    setTime(clockOf(first.minute));
    setError(null);
  }, [question, ready]);
  const close = () => startWatching(null);
  const minute = minuteOf(time);
  const limit = plan.alert.kind === "changed" ? null : plan.alert.limit;
  const complete = (plan.interval === "hour" || minute !== null) && (limit === null || limit.trim() !== "");
  const submit = async () => {
    if (!question || !ready || !complete || busy) return;
    setBusy(true);
    const failed = await watchQuestion(question, { ...plan, minute: plan.interval === "hour" ? 0 : (minute ?? 0) });
    setBusy(false);
    setError(failed);
    // Meanwhile another question may be in the dialog.
    if (!failed && useWatches.getState().watching?.id === question.id) close();
  };
  const setAlert = (kind: WatchAlert["kind"], value: string) =>
    setPlan({
      ...plan,
      alert: kind === "changed" ? { kind } : { kind, limit: value },
      column: kind === "changed" ? null : plan.column,
    });
  return (
    <Dialog
      open={question !== null}
      onClose={close}
      title={t`Watch this answer`}
      description={question?.title}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" busy={busy} disabled={!complete || !ready} onClick={() => void submit()}>
            {before ? t`Save` : t`Watch`}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(e) => {
          e.preventDefault();
          void submit();
        }}
      >
        <div className="flex flex-wrap items-end gap-3">
          <Labelled label={t`Runs`}>
            <Select
              label={t`Runs`}
              value={plan.interval}
              choices={choicesOf<WatchInterval>(INTERVALS, ["hour", "day", "week"])}
              onChange={(interval) => setPlan({ ...plan, interval })}
            />
          </Labelled>
          {plan.interval === "week" && (
            <Labelled label={t`Day`}>
              <Select
                label={t`Day`}
                value={String(plan.weekday)}
                choices={[0, 1, 2, 3, 4, 5, 6].map((day) => ({ value: String(day), label: weekdayName(day) }))}
                onChange={(day) => setPlan({ ...plan, weekday: Number(day) })}
              />
            </Labelled>
          )}
          {plan.interval !== "hour" && (
            <div className="w-32">
              <Field label={t`Time`}>
                <Input type="time" value={time} onChange={(e) => setTime(e.target.value)} />
              </Field>
            </div>
          )}
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <Labelled label={t`Reported`}>
            <Select
              label={t`Reported`}
              value={plan.alert.kind}
              choices={choicesOf<WatchAlert["kind"]>(ALERTS, ["changed", "above", "below"])}
              onChange={(kind) => setAlert(kind, limit ?? "")}
            />
          </Labelled>
          {limit !== null && (
            <>
              <div className="w-32">
                <Field label={t`Limit`}>
                  <Input
                    inputMode="decimal"
                    value={limit}
                    onChange={(e) => setAlert(plan.alert.kind, e.target.value)}
                  />
                </Field>
              </div>
              <div className="w-44">
                <Field label={t`Column, if there are several numbers`}>
                  <Input
                    value={plan.column ?? ""}
                    onChange={(e) =>
                      setPlan({ ...plan, column: e.target.value.trim() === "" ? null : e.target.value })
                    }
                  />
                </Field>
              </div>
            </>
          )}
        </div>
        <Files plan={plan} onChange={setPlan} />
        <p className="text-fg-3 text-sm">
          <Trans>The query runs once now, so that later results can be compared with this one. It only reads.</Trans>
        </p>
        {error && <ErrorNote error={error} compact />}
        {unloaded && <ErrorNote error={unloaded} again={() => void loadWatches()} compact />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

/** A select box with its label above it. */
function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <span aria-hidden className="mb-1 block font-medium text-fg-2 text-sm">
        {label}
      </span>
      {children}
    </div>
  );
}

const FORMATS: { value: WatchFormat; label: string }[] = [
  { value: "xlsx", label: "Excel" },
  { value: "html", label: "HTML" },
  { value: "csv", label: "CSV" },
];

/** The folder to which each run writes a file, if any. */
function Files({ plan, onChange }: { plan: WatchPlan; onChange: (plan: WatchPlan) => void }) {
  const { output } = plan;
  const [error, setError] = useState<AppError | null>(null);
  const pick = async () => {
    try {
      const folder = await host().pickFolder();
      if (folder) onChange({ ...plan, output: { folder: folder.path, format: output?.format ?? "xlsx" } });
    } catch (thrown) {
      setError(toAppError(thrown));
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Button size="sm" icon={<Folder size={13} />} onClick={() => void pick()}>
        {output ? t`Other folder…` : t`Write each result to a folder…`}
      </Button>
      {output && (
        <>
          <span className="wrap-anywhere min-w-0 text-fg-2">{output.folder}</span>
          <Select
            label={t`Format`}
            quiet
            value={output.format}
            choices={FORMATS}
            onChange={(format) => onChange({ ...plan, output: { ...output, format } })}
          />
          <TextButton onClick={() => onChange({ ...plan, output: null })}>
            <Trans>Write no files</Trans>
          </TextButton>
        </>
      )}
      {error && <ErrorNote error={error} compact />}
    </div>
  );
}
