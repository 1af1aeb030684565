import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import type { WorkspaceContent } from "../../host/bindings";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { SettingRow, Switch } from "../../kit/field";
import { listText } from "../../kit/format";
import { exportWorkspace, loadContent, lookAtBackup, useBackup } from "./backup";
import { ImportBackup } from "./ImportBackup";

/** The workspace as one file, out and in. */
export function BackupSection({ onChanged }: { onChanged: () => void }) {
  const content = useBackup((s) => s.content);
  const [exporting, setExporting] = useState(false);
  useEffect(() => void loadContent(), []);
  const changed = () => {
    void loadContent();
    onChanged();
  };
  return (
    <>
      <h2 className="mb-1 font-semibold text-lg">
        <Trans context="a page of settings: the workspace as one file">Backup</Trans>
      </h2>
      <p className="max-w-140 text-fg-3 text-sm">
        <Trans>
          Saves your work in one file, for another computer or after a reinstall. Passwords and keys are never
          included.
        </Trans>
      </p>
      <div className="mt-3">
        <SettingRow label={t`Export`} help={content ? `${contentsText(content)}.` : undefined}>
          <Button variant="primary" onClick={() => setExporting(true)}>
            <Trans>Export workspace</Trans>
          </Button>
        </SettingRow>
        <SettingRow
          label={t({ message: "Import", context: "take in a file" })}
          help={t`Adds the contents of such a file. Your own data is never replaced, and you see a preview first.`}
        >
          <Button onClick={() => void lookAtBackup()}>
            <Trans>Choose file</Trans>
          </Button>
        </SettingRow>
      </div>
      {exporting && <ExportDialog content={content} onClose={() => setExporting(false)} />}
      <ImportBackup onChanged={changed} />
    </>
  );
}

function contentsText(content: WorkspaceContent): string {
  return listText([
    plural(content.runs, { one: "# question asked", other: "# questions asked" }),
    plural(content.saved, { one: "# saved question", other: "# saved questions" }),
    plural(content.connections, { one: "# connection", other: "# connections" }),
  ]);
}

/** Says what the file will hold, and asks whether rows go into it. */
function ExportDialog({ content, onClose }: { content: WorkspaceContent | null; onClose: () => void }) {
  const [results, setResults] = useState(true);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Export workspace`}
      description={t`A ZIP file without encryption: anyone who has it can read it.`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            variant="primary"
            onClick={() => void exportWorkspace(results).then((chosen) => chosen && onClose())}
          >
            <Trans>Choose where to save</Trans>
          </Button>
        </>
      }
    >
      <SettingRow
        label={t`Include rows of results`}
        help={
          results
            ? t`Answers open with their rows. Treat the file as confidential as the databases themselves.`
            : t`Questions, queries and notes are included. Rows are not, nor are steps of runs that may repeat values.`
        }
      >
        <Switch label={t`Include rows of results`} checked={results} onChange={setResults} />
      </SettingRow>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-fg-3">
          <Trans>Included</Trans>
        </dt>
        <dd>
          {content && `${contentsText(content)}. `}
          <Trans>With definitions, chosen interpretations, privacy settings, remote models and settings.</Trans>
        </dd>
        <dt className="text-fg-3">
          <Trans>Never included</Trans>
        </dt>
        <dd>
          <Trans>Passwords, keys, the audit log, spending, and the databases themselves.</Trans>
        </dd>
      </dl>
    </Dialog>
  );
}
