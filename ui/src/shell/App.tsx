import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Table2 } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useRef } from "react";
import { EvidenceDialog } from "../answer/EvidenceDialog";
import { HomePage } from "../ask/HomePage";
import { RuleContext } from "../domain/ruleCode";
import { forgetCatalog } from "../features/catalog/state";
import { ConnectionDetails } from "../features/connections/ConnectionDetails";
import { ConnectionsPage } from "../features/connections/ConnectionsPage";
import { OpenDialog } from "../features/connections/OpenDialog";
import { PreparationPart } from "../features/connections/PreparationPart";
import { showOpenDialog, useConnections } from "../features/connections/state";
import { preparationState } from "../features/connections/words";
import { RenameDialog } from "../features/runs/RenameDialog";
import { SaveDialog } from "../features/saved/SaveDialog";
import { SavedPage } from "../features/saved/SavedPage";
import { loadSaved, useSaved } from "../features/saved/state";
import { useRules } from "../features/settings/rules";
import { SettingsPage } from "../features/settings/SettingsPage";
import { useSettings } from "../features/settings/state";
import { WatchDialog } from "../features/watches/WatchDialog";
import type { Preparation } from "../host/bindings";
import { Button } from "../kit/button";
import { focusHeading } from "../kit/focusNeighbour";
import { fileName } from "../kit/format";
import { useLanguage } from "../kit/language";
import { Empty } from "../kit/status";
import { Toaster } from "../kit/toaster";
import { HintProvider } from "../kit/tooltip";
import { navigate, useRoute } from "../navigation/route";
import { useTitle } from "../navigation/windows";
import { RunPage } from "../pages/RunPage";
import { TablesPage } from "../pages/TablesPage";
import { askAgain, leaveRunsOfOthers } from "../run/startRun";
import { ApprovalDialog } from "./ApprovalDialog";
import { reloadWorkspace } from "./events";
import { PageBoundary } from "./PageBoundary";
import { Palette } from "./Palette";
import { Shortcuts } from "./Shortcuts";
import { Sidebar, SidebarEdge } from "./Sidebar";
import { Tour } from "./Tour";
import { useKeys } from "./useKeys";

const AuditPage = lazy(async () => ({ default: (await import("../features/audit/AuditPage")).AuditPage }));
const ComparePage = lazy(async () => ({ default: (await import("../features/compare/ComparePage")).ComparePage }));
const EvaluationPages = lazy(async () => ({
  default: (await import("../evaluations/EvaluationPages")).EvaluationPages,
}));
const BoardPage = lazy(async () => ({ default: (await import("../saved/BoardPage")).BoardPage }));
const WatchesPage = lazy(async () => ({ default: (await import("../features/watches/WatchesPage")).WatchesPage }));
const SavedQuestionPage = lazy(async () => ({
  default: (await import("../saved/SavedQuestionPage")).SavedQuestionPage,
}));

/** Changes whenever more is known about a warehouse: tables profiled, keys inferred, values indexed. */
const preparationStep = (at?: Preparation) => (at ? at.profiled + at.valuesTotal + Number(at.done) : 0);

/** Drawn anew where language or formats change, so that every text and number follows. */
export function App() {
  const drawn = useLanguage((s) => `${s.language} ${s.formats}`);
  return <Frame key={drawn} />;
}

function Frame() {
  useKeys();
  useTitle();
  const current = useConnections((s) => s.current);
  useEffect(() => {
    if (current) forgetCatalog(current.uri, current.fingerprint);
  }, [current]);
  const list = useRules((s) => s.list);
  const rules = useMemo(() => ({ rules: list, onOpen: showRule }), [list]);
  const sampleUri = useSettings((s) => s.info?.sampleUri ?? null);
  const page = useRoute((s) => JSON.stringify(s.route));
  useKeptFocus(page);
  return (
    <HintProvider delay={450}>
      <RuleContext value={rules}>
        <div className="relative flex h-full">
          <button
            type="button"
            onClick={skipSidebar}
            className="absolute top-2 left-2 z-60 -translate-y-20 rounded-md bg-accent px-3 py-1.5 font-medium text-accent-fg focus:translate-y-0"
          >
            <Trans>Skip to the page</Trans>
          </button>
          <Sidebar />
          <main id="page" tabIndex={-1} className="flex outline-none min-w-0 flex-1 flex-col bg-bg">
            <PageBoundary page={page}>
              <Suspense>
                <Page />
              </Suspense>
            </PageBoundary>
          </main>
          <SidebarEdge />
        </div>
        <ApprovalDialog />
        <OpenDialog sampleUri={sampleUri} onOpened={leaveRunsOfOthers} />
        <RenameDialog />
        <EvidenceDialog />
        <WatchDialog />
        <SaveDialog onOpen={(q) => navigate({ page: "saved", id: q.id })} />
        <Palette />
        <Shortcuts />
        <Tour />
        <Toaster />
      </RuleContext>
    </HintProvider>
  );
}

/** Puts the focus on the new page where what had it is gone with the old one. */
function useKeptFocus(page: string) {
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the page
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      focusHeading();
    });
    return () => cancelAnimationFrame(frame);
  }, [page]);
}

/** Moves the focus past the sidebar: to the question box, where the page has one. */
function skipSidebar() {
  const page = document.getElementById("page");
  (page?.querySelector<HTMLElement>("textarea[data-question]") ?? page)?.focus();
}

/** Opens the settings page at this rule. */
function showRule(code: string) {
  navigate({ page: "settings", tab: "rules" });
  requestAnimationFrame(() => document.getElementById(`rule-${code}`)?.scrollIntoView({ block: "start" }));
}

/** The watched answers, with the saved questions that can be watched. */
function Watches() {
  const { list, hidden } = useSaved();
  const entries = useConnections((s) => s.entries);
  useEffect(() => void loadSaved(), []);
  return (
    <WatchesPage
      saved={list.filter(({ id }) => !hidden.includes(id))}
      warehouseTitle={(uri) => entries.find((e) => e.uri === uri)?.title ?? fileName(uri)}
      onOpen={(id) => navigate({ page: "saved", id })}
      onSaved={() => navigate({ page: "saved", id: null })}
    />
  );
}

function Page() {
  const route = useRoute((s) => s.route);
  const { current, entries, preparations } = useConnections();
  const preparation = current && preparations[current.uri];
  const preparing = preparation ? preparationState(preparation) : "running";
  switch (route.page) {
    case "ask":
      return <HomePage />;
    case "run":
      return <RunPage key={route.runId} runId={route.runId} tab={route.tab} />;
    case "compare":
      return (
        <ComparePage
          key={`${route.left}/${route.right}`}
          left={route.left}
          right={route.right}
          onChoose={(left, right) => navigate({ page: "compare", left, right })}
          onOpen={(runId) => navigate({ page: "run", runId, tab: "answer" })}
        />
      );
    case "tables":
      return current ? (
        <TablesPage
          key={current.uri}
          uri={current.uri}
          title={current.title}
          prepared={preparationStep(preparations[current.uri])}
          reading={preparing === "running"}
          note={(preparing === "unread" || preparing === "paused") && <PreparationPart uri={current.uri} />}
        />
      ) : (
        <>
          <h1 className="sr-only">
            <Trans>Tables</Trans>
          </h1>
          <Empty
            icon={<Table2 size={20} />}
            title={t`No warehouse is open`}
            action={
              <Button onClick={() => showOpenDialog(true)}>
                <Trans>Open warehouse</Trans>
              </Button>
            }
          />
        </>
      );
    case "connections":
      return route.uri ? (
        <ConnectionDetails
          key={route.uri}
          uri={route.uri}
          onBack={() => navigate({ page: "connections", uri: null })}
          onAsk={() => navigate({ page: "ask" })}
        />
      ) : (
        <ConnectionsPage
          onOpened={() => navigate({ page: "ask" })}
          onDetails={(uri) => navigate({ page: "connections", uri })}
        />
      );
    case "saved":
      return route.id ? (
        <SavedQuestionPage key={route.id} id={route.id} />
      ) : (
        <SavedPage
          warehouseTitle={(uri) => entries.find((e) => e.uri === uri)?.title ?? fileName(uri)}
          onOpen={(q) => navigate({ page: "saved", id: q.id })}
          onAskAgain={(q) => void askAgain(q.question, q.warehouse)}
        />
      );
    case "board":
      return <BoardPage />;
    case "watches":
      return <Watches />;
    case "evaluations":
      return <EvaluationPages id={route.id} question={route.question} />;
    case "audit":
      return <AuditPage />;
    case "settings":
      return (
        <SettingsPage
          tab={route.tab}
          onTab={(tab) => navigate({ page: "settings", tab })}
          onEvaluations={() => navigate({ page: "evaluations", id: null, question: null })}
          onWorkspace={reloadWorkspace}
        />
      );
  }
}
