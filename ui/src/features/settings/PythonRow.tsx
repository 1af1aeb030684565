import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect } from "react";
import type { JobEvent, PythonStatus } from "../../host/bindings";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { SettingRow } from "../../kit/field";
import { bytes, percent } from "../../kit/format";
import { Progress } from "../../kit/status";
import { BeingRemoved } from "./BeingRemoved";
import { cancelPython, installPython, loadPython, PYTHON, removePython, useSettings } from "./state";

/** Python for the analysis of fetched views: set up, removed, or not available on this computer. */
export function PythonRow() {
  const python = useSettings((s) => s.python);
  const job = useSettings((s) => s.pythonJob);
  useEffect(() => void loadPython(), []);
  const running = job?.state === "running";
  return (
    <SettingRow
      label={t`Python for analysis`}
      help={
        <>
          <Trans>
            Runs the model's code over the fetched views in a sandbox without access to files or network. Without it,
            the analysis uses SQL.
          </Trans>
          {running && <Setup job={job} />}
          {python?.unavailable && !running && (
            <p className="mt-1 text-warn">
              <Trans>Not available on this computer: {python.unavailable}</Trans>
            </p>
          )}
          {job?.state === "failed" && job.error && (
            <div className="mt-2">
              <ErrorNote error={job.error} compact />
            </div>
          )}
        </>
      }
    >
      {running ? (
        <Button size="sm" disabled={job.jobId === ""} onClick={cancelPython}>
          <Trans>Cancel</Trans>
        </Button>
      ) : (
        python && <Action python={python} />
      )}
    </SettingRow>
  );
}

function Action({ python }: { python: PythonStatus }) {
  const removing = useSettings((s) => s.removing.includes(PYTHON));
  if (removing) return <BeingRemoved />;
  if (python.installed) {
    return (
      <div className="flex items-center gap-3">
        <span className="nums text-fg-3 text-sm">{bytes(python.bytes)}</span>
        <Button size="sm" aria-label={t`Remove Python for analysis`} onClick={removePython}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    );
  }
  if (python.unavailable) return null;
  return (
    <Button size="sm" onClick={() => void installPython()}>
      <Trans>Set up (about {bytes(python.neededBytes)})</Trans>
    </Button>
  );
}

function Setup({ job }: { job: JobEvent }) {
  const part = job.total ? job.done / job.total : null;
  return (
    <div className="mt-2 flex items-center gap-3">
      <Progress value={part} label={t`Setting up Python`} />
      <span className="nums shrink-0 text-xs">
        {job.total ? t`${bytes(job.done)} of ${bytes(job.total)}, ${percent(part ?? 0)}` : bytes(job.done)}
      </span>
    </div>
  );
}
