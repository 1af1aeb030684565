// The one stream of events, handed to the features they belong to.

import { takeExport } from "../answer/exports";
import { loadWarehouses, takePreparation } from "../features/connections/state";
import { takeTest } from "../features/connections/testing";
import { takeEvaluation } from "../features/evals/state";
import { catchUpAll, loadRuns, takeEvent } from "../features/runs/state";
import { loadSaved } from "../features/saved/state";
import { takeImport } from "../features/settings/backup";
import { loadSettings, takePull, takePython } from "../features/settings/state";
import type { AppEvent } from "../host/bindings";
import { host } from "../host/host";
import { notifyCertaintyChange } from "../run/certaintyNotice";
import { notifyWaiting } from "../run/waitingNotice";

function takeAppEvent(message: AppEvent) {
  switch (message.kind) {
    case "run":
      takeEvent(message.event);
      notifyWaiting(message.event);
      notifyCertaintyChange(message.event);
      break;
    case "preparation":
      takePreparation(message.event);
      break;
    case "test":
      takeTest(message.event);
      break;
    case "job":
      if (message.event.kind === "modelPull") takePull(message.event);
      else if (message.event.kind === "pythonInstall") takePython(message.event);
      else if (message.event.kind === "evaluation") takeEvaluation(message.event);
      else if (message.event.kind === "workspaceImport") takeImport(message.event);
      else takeExport(message.event);
      break;
  }
}

export function startEvents() {
  let first = true;
  return host().subscribe(takeAppEvent, () => {
    catchUpAll();
    if (!first) {
      void loadRuns();
      void loadWarehouses();
    }
    first = false;
  });
}

/** Reads all lists again: an import has added to them, or was taken back. */
export function reloadWorkspace() {
  for (const load of [loadRuns, loadSaved, loadWarehouses, loadSettings]) void load();
}
