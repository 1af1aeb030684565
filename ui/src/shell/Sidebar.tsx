import { t } from "@lingui/core/macro";
import {
  Bookmark,
  Cable,
  Eye,
  LayoutGrid,
  PanelLeft,
  ScrollText,
  Search,
  Settings,
  SquarePen,
  Table2,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { PreparationLine } from "../features/connections/PreparationLine";
import { useConnections } from "../features/connections/state";
import { WarehouseMenu } from "../features/connections/WarehouseMenu";
import { HistoryList } from "../features/runs/HistoryList";
import { IconButton } from "../kit/button";
import { cx } from "../kit/cx";
import { followPointer } from "../kit/drag";
import { Keys } from "../kit/keys";
import type { ShortcutId } from "../kit/shortcuts";
import { Hint } from "../kit/tooltip";
import { navigate, openSettings, useRoute } from "../navigation/route";
import { COLLAPSED, setCollapsed, setWidth, useCollapsed, useUi, WIDTHS } from "../navigation/uiState";
import { openWindow } from "../navigation/windows";
import { newQuestion } from "../run/startRun";
import { HelpMenu } from "./HelpMenu";

/** Moves the focus between the buttons of the sidebar, which are one tab stop. */
function moveFocus(event: React.KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -100, End: 100 }[event.key];
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-nav]")];
  const at = buttons.indexOf(event.target as HTMLElement);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
}

export function Sidebar() {
  const collapsed = useCollapsed();
  const width = useUi((s) => s.width);
  const route = useRoute((s) => s.route);
  const warehouses = useConnections((s) => s.entries);
  const [focused, setFocused] = useState<string | null>(null);
  const items: { icon: ReactNode; label: string; command?: ShortcutId; active: boolean; run: () => void }[] = [
    {
      icon: <SquarePen size={16} />,
      label: t`New question`,
      command: "newQuestion",
      active: route.page === "ask",
      run: () => newQuestion(),
    },
    {
      icon: <Search size={16} />,
      label: t`Search`,
      command: "palette",
      active: false,
      run: () => useUi.setState({ palette: true }),
    },
    {
      icon: <Table2 size={16} />,
      label: t`Tables`,
      active: route.page === "tables",
      run: () => navigate({ page: "tables" }),
    },
    {
      icon: <Cable size={16} />,
      label: t`Connections`,
      active: route.page === "connections",
      run: () => navigate({ page: "connections", uri: null }),
    },
    {
      icon: <Bookmark size={16} />,
      label: t`Saved`,
      active: route.page === "saved",
      run: () => navigate({ page: "saved", id: null }),
    },
    {
      icon: <LayoutGrid size={16} />,
      label: t`Board`,
      active: route.page === "board",
      run: () => navigate({ page: "board" }),
    },
    {
      icon: <Eye size={16} />,
      label: t`Watched answers`,
      active: route.page === "watches",
      run: () => navigate({ page: "watches" }),
    },
    {
      icon: <ScrollText size={16} />,
      label: t`Audit log`,
      active: route.page === "audit",
      run: () => navigate({ page: "audit" }),
    },
  ];
  const settings = route.page === "settings" || route.page === "evaluations";
  const current = items.find((item) => item.active)?.label ?? (settings ? t`Settings` : null);
  const stop = focused ?? current ?? items[0]!.label;
  const nav = (label: string) => ({ tabIndex: label === stop ? 0 : -1, onFocus: () => setFocused(label) });
  const hide = collapsed ? t`Show sidebar` : t`Hide sidebar`;
  return (
    <aside
      aria-label={t`Sidebar`}
      onKeyDown={moveFocus}
      className="flex shrink-0 flex-col border-line border-r bg-side"
      style={{ width: collapsed ? COLLAPSED : `min(${width}px, 45vw)` }}
    >
      <div className="p-2">
        <WarehouseMenu collapsed={collapsed} onConnections={() => navigate({ page: "connections", uri: null })} />
      </div>
      {/* In a low window pages and history scroll as one, so that both can be read, and what stands below is there. */}
      <div
        className={cx(
          "flex min-h-0 flex-1 flex-col overflow-x-hidden",
          collapsed ? "overflow-y-auto" : "low:overflow-y-auto",
        )}
      >
        <nav aria-label={t`Pages`} className="flex shrink-0 flex-col gap-px px-2 pb-2">
          {items.map((item) => (
            <NavItem key={item.label} {...item} {...nav(item.label)} collapsed={collapsed} />
          ))}
        </nav>
        {!collapsed && (
          <HistoryList
            current={route.page === "run" ? route.runId : null}
            warehouses={warehouses}
            onOpen={openRun}
            onWindow={openRunWindow}
          />
        )}
      </div>
      {!collapsed && <PreparationLine />}
      <div className={cx("flex gap-1 border-line border-t p-2", collapsed ? "flex-col" : "items-center")}>
        <div className="min-w-0 flex-1">
          <NavItem
            icon={<Settings size={16} />}
            label={t`Settings`}
            command="settings"
            active={settings}
            collapsed={collapsed}
            run={openSettings}
            {...nav(t`Settings`)}
          />
        </div>
        <HelpMenu {...nav("help")} collapsed={collapsed} />
        <IconButton
          label={hide}
          command="sidebar"
          data-nav
          {...nav("sidebar")}
          className={collapsed ? "h-8 w-11" : undefined}
          onClick={() => setCollapsed(!collapsed)}
        >
          <PanelLeft size={16} />
        </IconButton>
      </div>
    </aside>
  );
}

const openRun = (runId: string) => navigate({ page: "run", runId, tab: "answer" });
const openRunWindow = (runId: string) => void openWindow({ page: "run", runId, tab: "answer" });

function NavItem({
  icon,
  label,
  command,
  active,
  collapsed,
  run,
  tabIndex,
  onFocus,
}: {
  icon: ReactNode;
  label: string;
  command?: ShortcutId;
  active: boolean;
  collapsed: boolean;
  run: () => void;
  tabIndex: number;
  onFocus: () => void;
}) {
  const button = (
    <button
      type="button"
      aria-label={collapsed ? label : undefined}
      aria-current={active ? "page" : undefined}
      data-nav
      tabIndex={tabIndex}
      onFocus={onFocus}
      onClick={run}
      className={cx(
        "flex h-8 shrink-0 items-center gap-2.5 rounded-md text-left transition-colors",
        collapsed ? "w-11 justify-center" : "w-full px-2",
        active ? "bg-active font-medium" : "text-fg-2 hover:bg-hover hover:text-fg",
      )}
    >
      <span className="shrink-0">{icon}</span>
      {!collapsed && <span className="min-w-0 grow truncate">{label}</span>}
      {!collapsed && command && (
        // Where a long name leaves no room, the keys wrap out of sight.
        <span
          aria-hidden
          className="flex h-4.5 min-w-0 shrink-[9999] flex-wrap content-start justify-end overflow-hidden"
        >
          <span className="h-4.5 w-px shrink-0" />
          <span className="flex shrink-0">
            <Keys command={command} />
          </span>
        </span>
      )}
    </button>
  );
  return collapsed ? (
    <Hint label={label} command={command}>
      {button}
    </Hint>
  ) : (
    button
  );
}

/** The edge of the sidebar, moved by the mouse and the arrow keys. It comes after the page in the tab order. */
export function SidebarEdge() {
  const collapsed = useCollapsed();
  const width = useUi((s) => s.width);
  if (collapsed) return null;
  const drag = (event: React.PointerEvent) => {
    const before = width - event.clientX;
    followPointer(event, (at) => setWidth(before + at.clientX));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves
    <div
      role="separator"
      tabIndex={0}
      aria-label={t`Sidebar width`}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={WIDTHS.min}
      aria-valuemax={WIDTHS.max}
      onPointerDown={drag}
      onDoubleClick={() => setWidth(WIDTHS.usual)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        setWidth(width + step);
      }}
      className="absolute inset-y-0 z-20 w-2 -translate-x-1/2 cursor-col-resize before:absolute before:inset-y-0 before:left-1/2 before:w-0.5 before:-translate-x-1/2 before:transition-colors hover:before:bg-accent-line focus-visible:outline-none focus-visible:before:bg-accent"
      style={{ left: `min(${width}px, 45vw)` }}
    />
  );
}
