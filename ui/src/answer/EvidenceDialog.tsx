import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Button } from "../kit/button";
import { Dialog } from "../kit/dialog";
import { SettingRow, Switch } from "../kit/field";
import { exportEvidence, useEvidence } from "./evidence";

/** Says what the evidence of a run holds, and asks whether all of it goes into the file. */
export function EvidenceDialog() {
  const run = useEvidence((s) => s.run);
  const [everything, setEverything] = useState(false);
  if (!run) return null;
  const close = () => {
    useEvidence.setState({ run: null });
    setEverything(false);
  };
  return (
    <Dialog
      open
      onClose={close}
      title={t`Export evidence`}
      description={t`A ZIP file with the question, the query, the rows and every step, and with hashes that show whether it was changed.`}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            variant="primary"
            onClick={() => void exportEvidence(run, everything).then((chosen) => chosen && close())}
          >
            <Trans>Choose where to save</Trans>
          </Button>
        </>
      }
    >
      <SettingRow
        label={t`Include everything`}
        help={
          everything
            ? t`All rows and the complete log of what the model read and wrote, even what is normally withheld. Treat the file as confidential as the database.`
            : t`Rows and steps are included as far as the privacy settings of this database allow.`
        }
      >
        <Switch label={t`Include everything`} checked={everything} onChange={setEverything} />
      </SettingRow>
    </Dialog>
  );
}
