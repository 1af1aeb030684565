import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Cable, Check, ChevronsUpDown, Database, FilePlus2, FileSpreadsheet, FileText, Square } from "lucide-react";
import type { ReactNode } from "react";
import { engineName } from "../../domain/engines";
import { EnvironmentBadge, EnvironmentDot } from "../../domain/environment";
import type { WarehouseKind } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../kit/menu";
import { Skeleton } from "../../kit/status";
import { openOrAsk, showOpenDialog, stopOpening, useConnections } from "./state";

export function kindIcon(kind: WarehouseKind, size = 15): ReactNode {
  if (kind === "file") return <FileSpreadsheet size={size} aria-hidden />;
  if (kind === "ddl") return <FileText size={size} aria-hidden />;
  return <Database size={size} aria-hidden />;
}

/** Shows the open warehouse and switches to another. */
export function WarehouseMenu({ collapsed, onConnections }: { collapsed: boolean; onConnections: () => void }) {
  const { current, entries, opening } = useConnections();
  const busy = opening !== null;
  return (
    <Menu
      width="w-72"
      trigger={
        <button
          type="button"
          aria-label={collapsed ? (current ? t`Warehouse: ${current.title}` : t`Open warehouse`) : undefined}
          className={cx(
            "flex h-11 items-center gap-2.5 rounded-lg text-left transition-colors hover:bg-hover data-popup-open:bg-hover",
            collapsed ? "w-11 justify-center" : "w-full px-2",
          )}
        >
          <span className="relative flex size-7 shrink-0 items-center justify-center rounded-md bg-accent-soft text-accent">
            {kindIcon(current?.kind ?? "duckdb")}
            {current?.connection?.environment && (
              <EnvironmentDot
                color={current.connection.environment.color}
                className="-right-0.5 -bottom-0.5 absolute ring-2 ring-side"
              />
            )}
          </span>
          {!collapsed && (
            <>
              <span className="min-w-0 flex-1">
                {current ? (
                  <>
                    <span className="flex items-center gap-1.5">
                      <span className="sr-only">
                        <Trans>Warehouse:</Trans>{" "}
                      </span>
                      <span className="truncate font-medium leading-4.5">{current.title}</span>
                      <EnvironmentBadge environment={current.connection?.environment} />
                    </span>
                    <span className="block truncate text-fg-3 text-xs">
                      {busy
                        ? t`Opening…`
                        : `${engineName(current.kind)} · ${plural(current.tables, { one: "# table", other: "# tables" })}`}
                    </span>
                  </>
                ) : busy ? (
                  <>
                    <Skeleton className="mb-1 h-3.5 w-28" />
                    <Skeleton className="h-3 w-20" />
                  </>
                ) : (
                  <span className="block font-medium">
                    <Trans>Open warehouse</Trans>
                  </span>
                )}
              </span>
              <ChevronsUpDown size={14} className="shrink-0 text-fg-3" aria-hidden />
            </>
          )}
        </button>
      }
    >
      {busy && (
        <>
          <MenuItem icon={<Square size={14} />} onSelect={() => void stopOpening()}>
            <Trans>Stop opening</Trans>
          </MenuItem>
          <MenuLine />
        </>
      )}
      {entries.length > 0 && (
        <MenuLabel>
          <Trans>Recent</Trans>
        </MenuLabel>
      )}
      {entries.slice(0, 12).map((entry) => (
        <MenuItem
          key={entry.uri}
          icon={kindIcon(entry.kind)}
          note={entry.uri === current?.uri ? <Check size={14} className="text-accent" /> : engineName(entry.kind)}
          onSelect={() => {
            void openOrAsk(entry.uri);
          }}
        >
          <span className="flex items-center gap-2">
            <span className="truncate">{entry.title}</span>
            {entry.connection?.environment && <EnvironmentDot color={entry.connection.environment.color} />}
          </span>
        </MenuItem>
      ))}
      {entries.length > 0 && <MenuLine />}
      <MenuItem icon={<FilePlus2 size={14} />} onSelect={() => showOpenDialog(true)}>
        <Trans>Open warehouse…</Trans>
      </MenuItem>
      <MenuItem icon={<Cable size={14} />} onSelect={onConnections}>
        <Trans>Connections</Trans>
      </MenuItem>
    </Menu>
  );
}
