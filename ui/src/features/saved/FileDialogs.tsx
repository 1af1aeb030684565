import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { CircleAlert, CircleCheck, Minus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { SettingRow, Switch } from "../../kit/field";
import { calendarDay, timeOfDay } from "../../kit/format";
import { Lines } from "../../kit/lines";
import { SqlText } from "../../kit/sqlText";
import { closeBundle, endImport, importSaved, rerunBundle, useFiles } from "./files";

/** Takes in saved questions from files, and says what came of it. */
export function ImportDialog() {
  const importing = useFiles((s) => s.importing);
  const [overwrite, setOverwrite] = useState(false);
  const done = importing?.done;
  return (
    <Dialog
      open={importing !== null}
      onClose={endImport}
      title={t`Import saved questions`}
      description={t`Reads the files of an exported library. No connection is opened and no query is run.`}
      footer={
        <>
          <Button variant="quiet" onClick={endImport}>
            {done ? t`Done` : t`Cancel`}
          </Button>
          {!done && (
            <Button variant="primary" busy={importing?.busy} onClick={() => void importSaved(overwrite)}>
              <Trans>Choose folder</Trans>
            </Button>
          )}
        </>
      }
    >
      {done ? (
        <div className="flex flex-col gap-3">
          <p role="status">
            <Trans>
              {done.added.length} new, {done.changed.length} changed, {done.unchanged} unchanged.
            </Trans>
          </p>
          <Lines title={t`Could not be read`} lines={done.refused} />
          <Lines title={t`Notes`} lines={done.notes} />
        </div>
      ) : (
        <SettingRow
          label={t`Replace newer questions`}
          help={t`Otherwise, questions changed here after their export stay unchanged.`}
        >
          <Switch label={t`Replace newer questions`} checked={overwrite} onChange={setOverwrite} />
        </SettingRow>
      )}
      {importing?.error && <ErrorNote error={importing.error} compact />}
    </Dialog>
  );
}

/** The contents of an evidence bundle, and its checks. */
export function BundleDialog() {
  const bundle = useFiles((s) => s.bundle);
  if (!bundle) return null;
  const { check, busy, error } = bundle;
  const { manifest, problems } = check;
  const good = problems.length === 0;
  return (
    <Dialog
      open
      still
      onClose={closeBundle}
      title={t`Evidence bundle`}
      description={bundle.path}
      width="w-170"
      footer={
        <>
          <Button busy={busy} onClick={() => void rerunBundle()}>
            <Trans>Run query again</Trans>
          </Button>
          <Button variant="primary" onClick={closeBundle}>
            <Trans>Done</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div>
          <p className="wrap-anywhere font-medium">{check.question}</p>
          <p className="wrap-anywhere nums mt-0.5 text-fg-3 text-sm">
            <Trans>
              Asked {calendarDay(manifest.asked_at)}, {timeOfDay(manifest.asked_at)} · {manifest.warehouse} ·{" "}
              <Plural value={manifest.rows} one="# row" other="# rows" /> · written by {manifest.program}
            </Trans>
          </p>
          {manifest.left_out && (
            <p className="wrap-anywhere mt-1 text-fg-2 text-sm">
              <Trans>Left out: {manifest.left_out}</Trans>
            </p>
          )}
        </div>
        <ul className="flex flex-col gap-1.5 text-sm">
          <Looked done good={good}>
            <Trans>Parts match their hashes</Trans>
          </Looked>
          <Looked done={check.replayed} good={good}>
            <Trans>The recorded steps end with this answer</Trans>
          </Looked>
          <Looked done={check.rerun} good={good}>
            <Trans>The query returns the same rows now</Trans>
          </Looked>
        </ul>
        {!good && (
          <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm">
            <ul className="flex flex-col gap-1">
              {problems.map((problem) => (
                <li key={problem} className="wrap-anywhere">
                  {problem.charAt(0).toUpperCase() + problem.slice(1)}
                </li>
              ))}
            </ul>
          </div>
        )}
        {error && <ErrorNote error={error} compact />}
        <SqlText sql={check.sql} dialect={manifest.dialect} />
      </div>
    </Dialog>
  );
}

/** One thing that was looked at. Where something differs, the list below says what. */
function Looked({ done, good, children }: { done: boolean; good: boolean; children: ReactNode }) {
  const [icon, label] = !done
    ? [<Minus key="icon" size={15} className="text-fg-3" />, t`Not checked`]
    : good
      ? [<CircleCheck key="icon" size={15} className="text-good" />, t`Yes`]
      : [<CircleAlert key="icon" size={15} className="text-bad" />, t`See the differences`];
  return (
    <li className="flex items-center gap-2">
      {icon}
      <span className="flex-1">{children}</span>
      <span className="text-fg-3">{label}</span>
    </li>
  );
}
