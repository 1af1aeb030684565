import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import type { AppError } from "../../host/bindings";
import { toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { Field, Input } from "../../kit/field";
import { renameRun, startRenaming, useRuns } from "./state";

/** Names a run of the history. Its question stays as it was asked. */
export function RenameDialog() {
  const run = useRuns((s) => s.renaming);
  const [title, setTitle] = useState("");
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    setTitle(run?.title ?? run?.question ?? "");
    setError(null);
  }, [run]);
  const close = () => startRenaming(null);
  const submit = async () => {
    if (!run) return;
    try {
      await renameRun(run.runId, title.trim() === run.question.trim() ? "" : title);
      close();
    } catch (thrown) {
      setError(toAppError(thrown));
    }
  };
  return (
    <Dialog
      open={run !== null}
      onClose={close}
      title={t`Rename question`}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" onClick={() => void submit()}>
            <Trans>Rename</Trans>
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(e) => {
          e.preventDefault();
          void submit();
        }}
      >
        <Field label={t`Name in the history`} help={t`Leave it empty to show the question.`}>
          <Input
            value={title}
            maxLength={200}
            onChange={(e) => setTitle(e.target.value)}
            onFocus={(e) => e.target.select()}
          />
        </Field>
        {error && <ErrorNote error={error} compact />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
