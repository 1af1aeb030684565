import { Bookmark, Cable, Gauge, PanelLeft, ScrollText, Search, Settings, SquarePen, Table2 } from "lucide-react";
import type { ReactNode } from "react";
import { PreparationLine } from "../features/connections/PreparationLine";
import { useConnections } from "../features/connections/state";
import { WarehouseMenu } from "../features/connections/WarehouseMenu";
import { HistoryList } from "../features/runs/HistoryList";
import { IconButton } from "../kit/button";
import { cx } from "../kit/cx";
import { Keys } from "../kit/keys";
import { Hint } from "../kit/tooltip";
import { newQuestion } from "./asking";
import { go, useRoute } from "./route";
import { setCollapsed, useUi } from "./ui";

export function Sidebar() {
  const collapsed = useUi((s) => s.collapsed);
  const route = useRoute((s) => s.route);
  const warehouses = useConnections((s) => s.entries);
  const items: { icon: ReactNode; label: string; keys?: string; active: boolean; run: () => void }[] = [
    {
      icon: <SquarePen size={16} />,
      label: "New question",
      keys: "mod+n",
      active: route.page === "ask",
      run: () => newQuestion(),
    },
    {
      icon: <Search size={16} />,
      label: "Search",
      keys: "mod+k",
      active: false,
      run: () => useUi.setState({ palette: true }),
    },
    {
      icon: <Table2 size={16} />,
      label: "Tables",
      active: route.page === "tables",
      run: () => go({ page: "tables" }),
    },
    {
      icon: <Cable size={16} />,
      label: "Connections",
      active: route.page === "connections",
      run: () => go({ page: "connections", uri: null }),
    },
    {
      icon: <Bookmark size={16} />,
      label: "Saved",
      active: route.page === "saved",
      run: () => go({ page: "saved", id: null }),
    },
    {
      icon: <ScrollText size={16} />,
      label: "Audit log",
      active: route.page === "audit",
      run: () => go({ page: "audit" }),
    },
    {
      icon: <Gauge size={16} />,
      label: "Evaluations",
      active: route.page === "evaluations",
      run: () => go({ page: "evaluations", id: null, question: null }),
    },
  ];
  return (
    <aside
      aria-label="Sidebar"
      className={cx(
        "flex shrink-0 flex-col border-line border-r bg-side transition-[width] duration-150",
        collapsed ? "w-15" : "w-62",
      )}
    >
      <div className="p-2">
        <WarehouseMenu collapsed={collapsed} onConnections={() => go({ page: "connections", uri: null })} />
      </div>
      <nav aria-label="Pages" className="flex flex-col gap-px px-2 pb-2">
        {items.map((item) => (
          <NavItem key={item.label} {...item} collapsed={collapsed} />
        ))}
      </nav>
      {collapsed ? (
        <div className="flex-1" />
      ) : (
        <HistoryList
          current={route.page === "run" ? route.runId : null}
          warehouses={warehouses}
          onOpen={(runId) => go({ page: "run", runId, tab: "answer" })}
        />
      )}
      {!collapsed && <PreparationLine />}
      <div className={cx("flex gap-1 border-line border-t p-2", collapsed ? "flex-col" : "items-center")}>
        <div className="flex-1">
          <NavItem
            icon={<Settings size={16} />}
            label="Settings"
            keys="mod+,"
            active={route.page === "settings"}
            collapsed={collapsed}
            run={() => go({ page: "settings", tab: "models" })}
          />
        </div>
        <IconButton
          label={collapsed ? "Show sidebar" : "Hide sidebar"}
          keys="mod+b"
          className={collapsed ? "h-8 w-11" : undefined}
          onClick={() => setCollapsed(!collapsed)}
        >
          <PanelLeft size={16} />
        </IconButton>
      </div>
    </aside>
  );
}

function NavItem({
  icon,
  label,
  keys,
  active,
  collapsed,
  run,
}: {
  icon: ReactNode;
  label: string;
  keys?: string;
  active: boolean;
  collapsed: boolean;
  run: () => void;
}) {
  const button = (
    <button
      type="button"
      aria-label={collapsed ? label : undefined}
      aria-current={active ? "page" : undefined}
      onClick={run}
      className={cx(
        "flex h-8 items-center gap-2.5 rounded-md text-left transition-colors",
        collapsed ? "w-11 justify-center" : "w-full px-2",
        active ? "bg-active font-medium" : "text-fg-2 hover:bg-hover hover:text-fg",
      )}
    >
      <span className="shrink-0">{icon}</span>
      {!collapsed && <span className="min-w-0 flex-1 truncate">{label}</span>}
      {!collapsed && keys && (
        <span aria-hidden>
          <Keys keys={keys} />
        </span>
      )}
    </button>
  );
  return collapsed ? (
    <Hint label={label} keys={keys}>
      {button}
    </Hint>
  ) : (
    button
  );
}
