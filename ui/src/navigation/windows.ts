// Several windows over one workspace: opening one, keeping in step with the others, and a title to tell them apart.

import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { create } from "zustand";
import { readDraftsAgain } from "../features/ask/state";
import { loadWarehouses } from "../features/connections/state";
import { readLayouts } from "../features/grid/layoutStore";
import { loadRuns, useRuns } from "../features/runs/state";
import { readBoard } from "../features/saved/board";
import { loadSaved, useSaved } from "../features/saved/state";
import { loadSettings } from "../features/settings/state";
import { host, toAppError } from "../host/host";
import { clipText } from "../kit/format";
import { readLanguage } from "../kit/language";
import { lazyRecord } from "../kit/lazyRecord";
import { readPanes } from "../kit/panes";
import { startShortcuts } from "../kit/shortcuts";
import { readTheme } from "../kit/theme";
import { toastError } from "../kit/toast";
import { formatRoute, type Route, useRoute } from "./route";

/** Opens another window at a page. */
export async function openWindow(route: Route) {
  try {
    await host().openWindow(formatRoute(route));
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

const AGAIN = [
  loadRuns,
  loadSaved,
  loadWarehouses,
  loadSettings,
  readTheme,
  readLanguage,
  startShortcuts,
  readDraftsAgain,
  readLayouts,
  readBoard,
  readPanes,
];

/** Events report runs. Changes that users make in another window are read again when this one gets the focus. */
export function keepInStep(): () => void {
  const read = () => {
    for (const again of AGAIN) void again().catch(() => {});
  };
  window.addEventListener("focus", read);
  return () => window.removeEventListener("focus", read);
}

const NAMES: Record<Route["page"], string> = lazyRecord({
  ask: () => "",
  run: () => t`Question`,
  compare: () => t`Comparison of two runs`,
  tables: () => t`Tables`,
  audit: () => t`Audit log`,
  connections: () => t`Connections`,
  saved: () => t`Saved questions`,
  board: () => t`Board`,
  watches: () => t`Watched answers`,
  evaluations: () => t`Evaluations`,
  settings: () => t`Settings`,
});

/** The outcome of the run on the page that the user waited for; empty otherwise. */
export const useWindowNotice = create<{ text: string }>(() => ({ text: "" }));

/** The title of the window says what is on its page, and before that what a run has come to: it can be read from another window. */
export function useTitle() {
  const route = useRoute((s) => s.route);
  const question = useRuns((s) =>
    route.page === "run" ? s.list.find((run) => run.runId === route.runId) : undefined,
  );
  const saved = useSaved((s) => (route.page === "saved" ? s.list.find((q) => q.id === route.id)?.title : undefined));
  const name = question?.title ?? question?.question ?? saved ?? NAMES[route.page];
  const told = useWindowNotice((s) => s.text);
  useEffect(() => {
    document.title = [clipText(told, 120), clipText(name, 80), "Vitrine"].filter((part) => part !== "").join(" - ");
  }, [told, name]);
}
