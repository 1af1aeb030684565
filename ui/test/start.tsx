// The whole interface over the fake host, as a test finds it: nothing asked, nothing written, the sample open.

import { render } from "@testing-library/react";
import { loadEngines } from "../src/domain/engines";
import { useExperts } from "../src/domain/experts";
import { loadMethods } from "../src/domain/methods";
import { startAsk, useAsk } from "../src/features/ask/state";
import { useCatalogs } from "../src/features/catalog/state";
import { useConnectionList, useEditing } from "../src/features/connections/connection";
import { useDefinitions } from "../src/features/connections/definitions";
import { loadWarehouses, openWarehouse, useConnections } from "../src/features/connections/state";
import { useTesting } from "../src/features/connections/testing";
import { useDrafts } from "../src/features/editor/state";
import { useGridLayouts } from "../src/features/grid/layoutStore";
import { loadRuns, useRuns } from "../src/features/runs/state";
import { startBoard, useBoard } from "../src/features/saved/board";
import { useFiles } from "../src/features/saved/files";
import { loadSaved, useSaved } from "../src/features/saved/state";
import { useBackup } from "../src/features/settings/backup";
import { loadRules, startRules, useRules } from "../src/features/settings/rules";
import { loadSettings, useSettings } from "../src/features/settings/state";
import { useWatches } from "../src/features/watches/state";
import { setHost } from "../src/host/host";
import { useFormDrafts } from "../src/kit/formDrafts";
import { usePanes } from "../src/kit/panes";
import { startShortcuts } from "../src/kit/shortcuts";
import { patience, useToasts } from "../src/kit/toast";
import { navigate } from "../src/navigation/route";
import { useUi } from "../src/navigation/uiState";
import { App } from "../src/shell/App";
import { startEvents } from "../src/shell/events";
import { endTour, readTour } from "../src/shell/tourState";
import { SAMPLE } from "./fake/data";
import { type FakeHost, type FakeOptions, fakeHost } from "./fake/host";

/** Ends what the window of the test before listens to: its exports go on, and would tell of themselves here. */
let leave = () => {};

/** Opens the window; with a host that was used before, as after a restart of the program. */
export async function start(options: FakeOptions = {}, before?: FakeHost): Promise<FakeHost> {
  const host = before ?? fakeHost(options);
  leave();
  setHost(host);
  useRuns.setState({ logs: {}, list: [], hidden: [], search: "", status: "loading" });
  useToasts.setState({ items: [] });
  patience.times = 100;
  useSettings.setState({ python: null, pythonJob: null, pulls: {}, remote: null, removing: [] });
  useConnections.setState({ dialog: false, failure: null, current: null, opening: null, leaving: [] });
  useConnectionList.setState(useConnectionList.getInitialState());
  useEditing.setState({ editing: null });
  useTesting.setState(useTesting.getInitialState());
  useDefinitions.setState(useDefinitions.getInitialState());
  useAsk.setState(useAsk.getInitialState());
  useCatalogs.setState({ entries: {} });
  useDrafts.setState({ drafts: {}, queries: {} });
  useFormDrafts.setState(useFormDrafts.getInitialState());
  useSaved.setState(useSaved.getInitialState());
  useFiles.setState(useFiles.getInitialState());
  useBoard.setState(useBoard.getInitialState());
  useWatches.setState(useWatches.getInitialState());
  useBackup.setState(useBackup.getInitialState());
  useUi.setState(useUi.getInitialState());
  useGridLayouts.setState(useGridLayouts.getInitialState());
  usePanes.setState(usePanes.getInitialState());
  endTour();
  navigate({ page: "ask" });
  leave = startEvents();
  useRules.setState(useRules.getInitialState());
  useExperts.setState(useExperts.getInitialState());
  await Promise.all([loadMethods(), loadEngines()]);
  await Promise.all([
    readTour(),
    startShortcuts(),
    startAsk(),
    startRules(),
    startBoard(),
    loadRules(),
    loadSettings(),
    loadWarehouses(),
    loadRuns(""),
    loadSaved(),
  ]);
  await openWarehouse(SAMPLE);
  render(<App />);
  return host;
}
