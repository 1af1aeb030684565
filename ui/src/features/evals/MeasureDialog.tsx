import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FolderOpen } from "lucide-react";
import { useState } from "react";
import { useMethodChoices } from "../../domain/methods";
import type { AppError, MethodName, WarehouseSummary } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Field, Input, NumberInput } from "../../kit/field";
import { Segmented } from "../../kit/segmented";
import { type Choice, Select } from "../../kit/select";
import { startEvaluation } from "./state";

/** Starts an evaluation: questions, method and model. */
export function MeasureDialog({
  open,
  onClose,
  warehouse,
  models,
}: {
  open: boolean;
  onClose: () => void;
  /** The open warehouse, whose verified questions can be asked. */
  warehouse: Pick<WarehouseSummary, "uri" | "title"> | null;
  models: Choice<string>[];
}) {
  const methods = useMethodChoices();
  const [source, setSource] = useState<"folder" | "mine">("folder");
  const [folder, setFolder] = useState("");
  const [strategy, setStrategy] = useState<MethodName>("auto");
  const [model, setModel] = useState("");
  const [every, setEvery] = useState(1);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const mine = source === "mine" && warehouse !== null;
  const ready = mine || folder.trim() !== "";
  const submit = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    try {
      await startEvaluation({
        pack: mine ? null : folder.trim(),
        warehouse: mine ? warehouse.uri : null,
        strategy,
        model: model || null,
        every: mine ? 1 : every,
        limit: null,
      });
      onClose();
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`New evaluation`}
      description={t`Asks questions with known answers and counts the correct ones.`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" busy={busy} disabled={!ready} onClick={() => void submit()}>
            <Trans>Start</Trans>
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
        <Segmented
          label={t`Questions`}
          value={mine ? "mine" : "folder"}
          choices={[
            { value: "folder", label: t`Folder of questions` },
            ...(warehouse ? [{ value: "mine" as const, label: t`My verified questions` }] : []),
          ]}
          onChange={setSource}
        />
        {mine ? (
          <p className="text-fg-2 text-sm">
            <Trans>Asks every verified question of {warehouse.title}. Its saved SQL is the expected query.</Trans>
          </p>
        ) : (
          <>
            <Field
              label={t`Folder`}
              help={t`Contains questions.jsonl and databases/, or uses the layout of Spider, BIRD or Spider 2.0.`}
            >
              <span className="flex gap-2">
                <Input value={folder} onChange={(e) => setFolder(e.target.value)} placeholder="/path/to/pack" />
                <Button
                  icon={<FolderOpen size={14} />}
                  onClick={() =>
                    void host()
                      .pickOpenPath("folder")
                      .then((path) => path && setFolder(path))
                  }
                >
                  <Trans>Browse</Trans>
                </Button>
              </span>
            </Field>
            <div className="flex items-center justify-between gap-4">
              <span className="text-fg-2 text-sm">
                <Trans>Ask every nth question; 1 asks all.</Trans>
              </span>
              <NumberInput label={t`Every nth question`} value={every} min={1} max={1000} onChange={setEvery} />
            </div>
          </>
        )}
        <div className="grid grid-cols-2 gap-4">
          <div>
            <div className="mb-1 font-medium text-fg-2 text-sm">
              <Trans>Method</Trans>
            </div>
            <Select label={t`Method`} className="w-full" value={strategy} choices={methods} onChange={setStrategy} />
          </div>
          <div>
            <div className="mb-1 font-medium text-fg-2 text-sm">
              <Trans>Model</Trans>
            </div>
            <Select label={t`Model`} className="w-full" value={model} choices={models} onChange={setModel} />
          </div>
        </div>
        {error && <ErrorNote error={error} compact />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
