import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { ImportCount, WorkspaceImport } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { SettingRow, Switch } from "../../kit/field";
import { calendarDay, count, fileName } from "../../kit/format";
import { Lines } from "../../kit/lines";
import { Progress } from "../../kit/status";
import { closeImport, type Importing, importBackup, undoImport, useBackup } from "./backup";

/** An import: what the file would add, then what it has added. */
export function ImportBackup({ onChanged }: { onChanged: () => void }) {
  const importing = useBackup((s) => s.importing);
  if (!importing) return null;
  return <Import key={importing.path} importing={importing} onChanged={onChanged} />;
}

function Import({ importing, onChanged }: { importing: Importing; onChanged: () => void }) {
  const [settings, setSettings] = useState(false);
  const [confirmed, setConfirmed] = useState<string[]>([]);
  const { step, found, error, part } = importing;
  const busy = (step === "look" || step === "import") && !error;
  const adds = found !== null && (addedText(found) > 0 || (settings && found.settingsDiffer));
  const then = (worked: boolean) => {
    if (worked) onChanged();
  };
  return (
    <Dialog
      open
      onClose={closeImport}
      title={step === "done" ? t`Imported` : t`Import workspace`}
      description={fileName(importing.path)}
      footer={
        step === "done" ? (
          <>
            {adds && (
              <Button variant="quiet" onClick={() => void undoImport().then(then)}>
                <Trans>Undo</Trans>
              </Button>
            )}
            <Button variant="primary" onClick={closeImport}>
              <Trans>Done</Trans>
            </Button>
          </>
        ) : (
          <>
            <Button variant="quiet" onClick={closeImport}>
              {busy ? t`Stop` : t`Cancel`}
            </Button>
            {step !== "look" && (
              <Button
                variant="primary"
                busy={step === "import"}
                disabled={!adds}
                onClick={() => void importBackup(settings, confirmed).then(then)}
              >
                <Trans context="take in a file">Import</Trans>
              </Button>
            )}
          </>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {busy && (
          <div role="status">
            <p className="mb-2 text-fg-2 text-sm">{step === "look" ? t`Reading the file` : t`Importing`}</p>
            <Progress value={part} label={step === "look" ? t`Reading the file` : t`Importing`} />
          </div>
        )}
        {found && step !== "look" && (
          <>
            <p className="text-fg-3 text-sm">
              {found.results ? (
                <Trans>
                  Created on {calendarDay(found.writtenAt)} by {found.program}, with result rows.
                </Trans>
              ) : (
                <Trans>
                  Created on {calendarDay(found.writtenAt)} by {found.program}, without result rows.
                </Trans>
              )}
            </p>
            <Counts found={found} done={step === "done"} />
            {!adds && step === "choose" && (
              <p role="status">
                <Trans>Everything in this file already exists here.</Trans>
              </p>
            )}
            {found.settingsDiffer && step === "choose" && (
              <SettingRow label={t`Import settings too`} help={t`The settings in the file replace yours.`}>
                <Switch label={t`Import settings too`} checked={settings} onChange={setSettings} />
              </SettingRow>
            )}
            {step === "choose" && found.looser.length > 0 && (
              <fieldset className="flex flex-col gap-1">
                <legend className="mb-1 font-medium">
                  <Trans>The file would relax restrictions. Only what you confirm is imported:</Trans>
                </legend>
                {found.looser.map(({ id, what }) => (
                  <SettingRow key={id} label={what}>
                    <Switch
                      label={what}
                      checked={confirmed.includes(id)}
                      onChange={(on) => setConfirmed(on ? [...confirmed, id] : confirmed.filter((one) => one !== id))}
                    />
                  </SettingRow>
                ))}
              </fieldset>
            )}
            {step === "done" && (
              <>
                <Lines
                  title={t`Confirmed`}
                  lines={found.looser.filter((part) => part.taken).map((part) => part.what)}
                />
                <Lines
                  title={t`Not imported`}
                  lines={found.looser.filter((part) => !part.taken).map((part) => part.what)}
                />
              </>
            )}
            {step === "done" && found.settingsTaken && (
              <p>
                <Trans>The settings in the file now apply.</Trans>
              </p>
            )}
            <Lines title={t`Could not be read`} lines={found.refused} />
            <Lines title={t`Notes`} lines={found.notes} />
          </>
        )}
        {error && <ErrorNote error={error} compact />}
      </div>
    </Dialog>
  );
}

function addedText(found: WorkspaceImport): number {
  const kinds = [found.runs, found.saved, found.connections, found.descriptions, found.readings, found.models];
  return kinds.reduce((sum, kind) => sum + kind.added, 0);
}

/** The number of new and unchanged records of each kind. */
function Counts({ found, done }: { found: WorkspaceImport; done: boolean }) {
  const kinds: [string, ImportCount][] = [
    [t`Questions asked`, found.runs],
    [t`Saved questions`, found.saved],
    [t`Connections`, found.connections],
    [t`Notes on databases`, found.descriptions],
    [t`Chosen interpretations`, found.readings],
    [t`Models`, found.models],
  ];
  const there = kinds.filter(([, kind]) => kind.added + kind.here + kind.differs > 0);
  if (there.length === 0) return null;
  const differs = there.some(([, kind]) => kind.differs > 0);
  return (
    <table className="nums w-full text-sm">
      <thead>
        <tr className="border-line border-b text-fg-3">
          <th scope="col" className="py-1.5 text-left font-normal">
            <span className="sr-only">
              <Trans>Kind</Trans>
            </span>
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right font-normal">
            {done ? t({ message: "Added", context: "by an import" }) : t({ message: "New", context: "in an import" })}
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right font-normal">
            <Trans>Already here</Trans>
          </th>
          {differs && (
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">
              <Trans>Differs here; yours is kept</Trans>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {there.map(([name, kind]) => (
          <tr key={name} className="border-line border-b last:border-b-0">
            <th scope="row" className="py-1.5 text-left font-normal">
              {name}
            </th>
            <td className="py-1.5 pl-4 text-right font-medium">{count(kind.added)}</td>
            <td className="py-1.5 pl-4 text-right">{count(kind.here)}</td>
            {differs && <td className="py-1.5 pl-4 text-right">{count(kind.differs)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
