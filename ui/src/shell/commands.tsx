import { t } from "@lingui/core/macro";
import {
  AppWindow,
  Archive,
  Bookmark,
  Cable,
  Columns3,
  Contrast,
  Database,
  Eye,
  FilePlus2,
  Footprints,
  Gauge,
  History,
  Keyboard,
  LayoutGrid,
  Moon,
  ScrollText,
  Settings,
  Square,
  SquareArrowOutUpRight,
  SquarePen,
  Sun,
  Table2,
} from "lucide-react";
import { whatItIs } from "../features/ask/MentionList";
import { searchFor } from "../features/catalog/useTableSearch";
import { openOrAsk, showOpenDialog, stopOpening, useConnections } from "../features/connections/state";
import { useRuns } from "../features/runs/state";
import { useSaved } from "../features/saved/state";
import { SETTINGS_PAGES } from "../features/settings/SettingsPage";
import type { FoundName, RunSummary } from "../host/bindings";
import { clipText, shortWhen } from "../kit/format";
import { setTheme, useTheme } from "../kit/theme";
import { navigate, openSettings, useRoute } from "../navigation/route";
import { setCollapsed, useUi } from "../navigation/uiState";
import { openWindow } from "../navigation/windows";
import { newQuestion, runAtWork } from "../run/startRun";
import { stopShownRun } from "../run/stopRunState";
import type { PaletteItem } from "./paletteItem";
import { runItems } from "./runCommands";
import { startTour } from "./tourState";

/** Everything that the palette offers, actions first. */
export function paletteItems(): PaletteItem[] {
  const { entries, current } = useConnections.getState();
  const { dark, contrast } = useTheme.getState();
  return [
    ...runItems(),
    {
      id: "new",
      group: "Actions",
      label: t`New question`,
      command: "newQuestion",
      icon: <SquarePen size={15} />,
      run: () => newQuestion(),
    },
    {
      id: "window",
      group: "Actions",
      label: t`New window`,
      command: "newWindow",
      icon: <AppWindow size={15} />,
      run: () => void openWindow({ page: "ask" }),
    },
    {
      id: "window-here",
      group: "Actions",
      label: t`Open this page in a new window`,
      icon: <SquareArrowOutUpRight size={15} />,
      run: () => void openWindow(useRoute.getState().route),
    },
    ...(runAtWork()
      ? [
          {
            id: "stop",
            group: "Actions" as const,
            label: t`Stop this question`,
            command: "stop" as const,
            icon: <Square size={15} />,
            run: () => void stopShownRun(),
          },
        ]
      : []),
    ...(useConnections.getState().opening !== null
      ? [
          {
            id: "stop-opening",
            group: "Actions" as const,
            label: t`Stop opening the warehouse`,
            icon: <Square size={15} />,
            run: () => void stopOpening(),
          },
        ]
      : []),
    {
      id: "open",
      group: "Actions",
      label: t`Open warehouse…`,
      command: "open",
      icon: <FilePlus2 size={15} />,
      run: () => showOpenDialog(true),
    },
    {
      id: "tables",
      group: "Actions",
      label: t`Browse tables`,
      icon: <Table2 size={15} />,
      run: () => navigate({ page: "tables" }),
    },
    {
      id: "connections",
      group: "Actions",
      label: t`Connections`,
      icon: <Cable size={15} />,
      run: () => navigate({ page: "connections", uri: null }),
    },
    {
      id: "saved",
      group: "Actions",
      label: t`Saved questions`,
      icon: <Bookmark size={15} />,
      run: () => navigate({ page: "saved", id: null }),
    },
    {
      id: "board",
      group: "Actions",
      label: t`Board`,
      icon: <LayoutGrid size={15} />,
      run: () => navigate({ page: "board" }),
    },
    {
      id: "watches",
      group: "Actions",
      label: t`Watched answers`,
      icon: <Eye size={15} />,
      run: () => navigate({ page: "watches" }),
    },
    {
      id: "audit",
      group: "Actions",
      label: t`Audit log`,
      icon: <ScrollText size={15} />,
      run: () => navigate({ page: "audit" }),
    },
    {
      id: "evaluations",
      group: "Actions",
      label: t`Evaluations`,
      icon: <Gauge size={15} />,
      run: () => navigate({ page: "evaluations", id: null, question: null }),
    },
    {
      id: "settings",
      group: "Actions",
      label: t`Settings`,
      command: "settings",
      icon: <Settings size={15} />,
      run: openSettings,
    },
    {
      id: "backup",
      group: "Actions",
      label: t`Export or import the workspace`,
      icon: <Archive size={15} />,
      run: () => navigate({ page: "settings", tab: "backup" }),
    },
    {
      id: "theme",
      group: "Actions",
      label: dark ? t`Light theme` : t`Dark theme`,
      icon: dark ? <Sun size={15} /> : <Moon size={15} />,
      run: () => setTheme(dark ? "light" : "dark"),
    },
    ...(contrast
      ? []
      : [
          {
            id: "contrast",
            group: "Actions" as const,
            label: t`High-contrast theme`,
            icon: <Contrast size={15} />,
            run: () => setTheme("contrast"),
          },
        ]),
    {
      id: "sidebar",
      group: "Actions",
      label: useUi.getState().collapsed ? t`Show sidebar` : t`Hide sidebar`,
      command: "sidebar",
      icon: <Table2 size={15} />,
      run: () => setCollapsed(!useUi.getState().collapsed),
    },
    {
      id: "keys",
      group: "Actions",
      label: t`Keyboard shortcuts`,
      command: "shortcuts",
      icon: <Keyboard size={15} />,
      run: () => useUi.setState({ shortcuts: true }),
    },
    {
      id: "tour",
      group: "Actions",
      label: t`Take the tour`,
      icon: <Footprints size={15} />,
      run: () => void startTour(),
    },
    ...SETTINGS_PAGES.map(
      ({ tab, title }): PaletteItem => ({
        id: `settings-${tab}`,
        group: "Actions",
        label: t`Settings: ${title}`,
        icon: <Settings size={15} />,
        sought: true,
        run: () => navigate({ page: "settings", tab }),
      }),
    ),
    ...useSaved.getState().list.map(
      (q): PaletteItem => ({
        id: `saved:${q.id}`,
        group: "Saved questions",
        label: q.title,
        icon: <Bookmark size={15} />,
        run: () => navigate({ page: "saved", id: q.id }),
      }),
    ),
    ...entries
      .filter((e) => e.uri !== current?.uri)
      .map(
        (e): PaletteItem => ({
          id: `data:${e.uri}`,
          group: "Warehouses",
          label: t`Switch to ${e.title}`,
          icon: <Database size={15} />,
          run: () => void openOrAsk(e.uri),
        }),
      ),
  ];
}

/** Tables and columns of the open warehouse, by name. */
export function nameItems(found: FoundName[]): PaletteItem[] {
  return found.map((name) => ({
    id: `name:${name.kind}:${name.table}:${name.name}`,
    group: "Tables",
    label: name.name,
    note: whatItIs(name),
    icon: name.kind === "table" ? <Table2 size={15} /> : <Columns3 size={15} />,
    run: () => {
      searchFor(name);
      navigate({ page: "tables" });
    },
  }));
}

/** Questions of the history, by the names that they have there: those that the host found, and those of the list beside the page. */
export function questionItems(found: RunSummary[], typed: string): PaletteItem[] {
  const { list, hidden } = useRuns.getState();
  const now = new Date();
  const item = (r: RunSummary): PaletteItem => ({
    id: `run:${r.runId}`,
    group: "Questions",
    label: clipText(r.title ?? r.question, 160),
    // Few of them are shown.
    get note() {
      return shortWhen(r.startedAt, now);
    },
    icon: <History size={15} />,
    run: () => navigate({ page: "run", runId: r.runId, tab: "answer" }),
  });
  const away = found.map(item);
  const here = filterItems(list.map(item), typed);
  // The list may be narrowed down. While letters are typed, the host's answer belongs to those before them.
  const all = typed.trim() === "" ? [...away, ...here] : [...here, ...away];
  const gone = new Set(hidden.map((runId) => `run:${runId}`));
  return all.filter(({ id }) => !gone.has(id) && gone.add(id));
}

/** Items that contain every typed word, those that begin with the text first. */
export function filterItems<T extends { label: string }>(items: T[], typed: string): T[] {
  const text = typed.trim().toLowerCase();
  if (text === "") return items;
  const words = text.split(/\s+/);
  const hits = items.filter((i) => words.every((w) => i.label.toLowerCase().includes(w)));
  const starts = (i: T) => i.label.toLowerCase().startsWith(text);
  return [...hits.filter(starts), ...hits.filter((i) => !starts(i))];
}
