import "../kit/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startExports } from "../answer/exports";
import { loadEngines } from "../domain/engines";
import { startExperts } from "../domain/experts";
import { loadMethods } from "../domain/methods";
import { startFollowUps } from "../features/ask/followUps";
import { startAsk } from "../features/ask/state";
import { startCharts } from "../features/chart/state";
import { loadWarehouses, openWarehouse, useConnections } from "../features/connections/state";
import { startValues } from "../features/editor/values";
import { startLayouts } from "../features/grid/layoutStore";
import { loadRuns } from "../features/runs/state";
import { startBoard } from "../features/saved/board";
import { loadSaved } from "../features/saved/state";
import { loadRules, startRules } from "../features/settings/rules";
import { loadSettings, useSettings } from "../features/settings/state";
import { type Host, host, setHost } from "../host/host";
import { readLanguage } from "../kit/language";
import { readPanes } from "../kit/panes";
import { startShortcuts } from "../kit/shortcuts";
import { startTheme } from "../kit/theme";
import { startToasts } from "../kit/toast";
import { startRoutes } from "../navigation/route";
import { startUi } from "../navigation/uiState";
import { keepInStep } from "../navigation/windows";
import { watchWaiting } from "../run/waitingNotice";
import { App } from "./App";
import { startEvents } from "./events";
import { watchOpenedFiles } from "./openedFiles";
import { watchLanguage } from "./reloadDescriptions";
import { readTour } from "./tourState";

/** Starts the interface on a host. The first frame waits for nothing slow. */
export async function boot(given: Host) {
  setHost(given);
  startRoutes();
  // The program describes itself in the language of the window.
  await readLanguage();
  // The previous choice is looked up among them.
  await Promise.all([loadMethods().catch(() => {}), loadEngines().catch(() => {})]);
  await Promise.all([
    startTheme(),
    startUi().catch(() => {}),
    startAsk().catch(() => {}),
    startFollowUps().catch(() => {}),
    startCharts().catch(() => {}),
    startLayouts().catch(() => {}),
    startBoard().catch(() => {}),
    startValues().catch(() => {}),
    readPanes().catch(() => {}),
    startRules().catch(() => {}),
    readTour().catch(() => {}),
    startShortcuts().catch(() => {}),
    startToasts().catch(() => {}),
    startExports().catch(() => {}),
    startExperts().catch(() => {}),
  ]);
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  startEvents();
  watchWaiting();
  watchLanguage();
  void loadRuns();
  void loadSaved();
  void loadRules();
  await Promise.all([loadSettings(), loadWarehouses()]);
  await openFirst();
  // A reopened warehouse was reported when it was first opened.
  watchOpenedFiles();
  keepInStep();
}

/** Opens the warehouse of the last session, else the sample, else the most recent one. */
async function openFirst() {
  const last = await host()
    .preference("warehouse")
    .catch(() => null);
  const { entries } = useConnections.getState();
  const sample = useSettings.getState().info?.sampleUri || null;
  const known = entries.find((e) => e.uri === last)?.uri;
  const uri = known ?? sample ?? entries[0]?.uri;
  if (uri) await openWarehouse(uri);
  else useConnections.setState({ starting: false });
}
