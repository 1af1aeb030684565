import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Cable, Pencil, Plus, Trash2 } from "lucide-react";
import { useEffect } from "react";
import { engineName } from "../../domain/engines";
import { EnvironmentBadge } from "../../domain/environment";
import type { Connection, WarehouseEntry } from "../../host/bindings";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { useFocusNeighbour } from "../../kit/focusNeighbour";
import { shortWhen } from "../../kit/format";
import { MenuItem, MoreMenu } from "../../kit/menu";
import { Badge, Skeleton } from "../../kit/status";
import { ConnectionForm } from "./ConnectionForm";
import {
  editConnection,
  kindOf,
  loadConnections,
  removeConnection,
  startEditing,
  useConnectionList,
  useEditing,
} from "./connection";
import { EngineTiles } from "./EngineTiles";
import { OpenButton } from "./OpenButton";
import { loadWarehouses, openOrAsk, useConnections } from "./state";
import { kindIcon } from "./WarehouseMenu";
import { pathOf } from "./words";

/** The databases that have a name, those opened before, and how to add one. */
export function ConnectionsPage({
  onOpened,
  onDetails,
}: {
  /** A connection was opened, to ask questions of it. */
  onOpened: () => void;
  onDetails: (uri: string) => void;
}) {
  const { list, hidden, status, error } = useConnectionList();
  const editing = useEditing((s) => s.editing);
  const entries = useConnections((s) => s.entries);
  const current = useConnections((s) => s.current);
  useEffect(() => void loadConnections(), []);

  const open = async (uri: string) => {
    if (await openOrAsk(uri)) onOpened();
  };
  if (editing) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ConnectionForm
          editing={editing}
          onSaved={(kept, opens) => {
            void loadWarehouses();
            if (opens) void open(kept.address);
          }}
        />
      </div>
    );
  }
  const onSample = entries.some(({ isSample, uri }) => isSample && uri === current?.uri);
  const shown = list.filter((connection) => !hidden.includes(connection.id));
  const nameless = entries.filter((entry) => !list.some((connection) => connection.address === entry.uri));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-220 flex-col gap-6 px-8 py-6">
        <header>
          <h1 className="font-semibold text-xl">
            <Trans>Connections</Trans>
          </h1>
          <p className="mt-0.5 text-fg-3">
            <Trans>
              Vitrine only reads. Connecting reads the names of tables and columns; rows are read when you ask a
              question.
            </Trans>
          </p>
        </header>
        {status === "loading" && <Skeleton className="h-16 rounded-lg" />}
        {status === "failed" && error && <ErrorNote error={error} again={() => void loadConnections()} />}
        {status === "ready" && shown.length === 0 && (
          <p className="rounded-lg bg-sunk px-4 py-3 text-fg-2">
            {onSample ? (
              <Trans>The sample is open: data of a fictional retail company. Connect your own data below.</Trans>
            ) : (
              <Trans>
                No connections yet. Add your own data below, or start with the sample: data of a fictional retail
                company with questions to try.
              </Trans>
            )}
          </p>
        )}
        {shown.length > 0 && (
          <ul aria-label={t`Connections`} className="flex flex-col">
            {shown.map((connection) => (
              <ConnectionRow
                key={connection.id}
                connection={connection}
                onOpen={() => void open(connection.address)}
                onDetails={() => onDetails(connection.address)}
              />
            ))}
          </ul>
        )}
        <EngineTiles onChoose={startEditing} />
        {nameless.length > 0 && (
          <section aria-label={t`Recently opened`}>
            <h2 className="mb-1 font-medium text-fg-2">
              <Trans>Recently opened</Trans>
            </h2>
            <ul className="flex flex-col">
              {nameless.map((entry) => (
                <NamelessRow
                  key={entry.uri}
                  entry={entry}
                  onOpen={() => void open(entry.uri)}
                  onDetails={() => onDetails(entry.uri)}
                />
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}

const ROW = "-mx-3 flex items-center gap-3 rounded-lg px-3 hover:bg-hover";

function ConnectionRow({
  connection,
  onOpen,
  onDetails,
}: {
  connection: Connection;
  onOpen: () => void;
  onDetails: () => void;
}) {
  const current = useConnections((s) => s.current?.uri === connection.address);
  const kind = kindOf(connection.address);
  const { entry, leave, finalFocus } = useFocusNeighbour();
  return (
    <li ref={entry} className={ROW}>
      <button
        type="button"
        onClick={onDetails}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-md py-2.5 text-left"
      >
        <span className="text-fg-3">{kindIcon(kind, 18)}</span>
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span className="truncate font-medium">{connection.name}</span>
            <EnvironmentBadge environment={connection.environment} />
            {current && (
              <Badge tone="accent">
                <Trans context="state">open</Trans>
              </Badge>
            )}
          </span>
          <span className="block truncate text-fg-3 text-sm">
            {engineName(kind)} · {pathOf(connection.address)}
            {connection.schemas.length > 0 && ` · ${connection.schemas.join(", ")}`}
          </span>
        </span>
      </button>
      {connection.usedAt && (
        <span className="nums shrink-0 text-fg-3 text-sm">{shortWhen(connection.usedAt, new Date())}</span>
      )}
      <OpenButton
        uri={connection.address}
        label={current ? t({ message: "Ask", context: "a question of this database" }) : t`Open`}
        onOpen={onOpen}
      />
      <MoreMenu label={t`More for ${connection.name}`} removes finalFocus={finalFocus}>
        <MenuItem icon={<Pencil size={14} />} onSelect={() => editConnection(connection)}>
          <Trans>Edit, rename, test</Trans>
        </MenuItem>
        <MenuItem
          icon={<Trash2 size={14} />}
          danger
          onSelect={() => {
            leave();
            removeConnection(connection, () => void loadWarehouses());
          }}
        >
          <Trans>Remove</Trans>
        </MenuItem>
      </MoreMenu>
    </li>
  );
}

function NamelessRow({
  entry,
  onOpen,
  onDetails,
}: {
  entry: WarehouseEntry;
  onOpen: () => void;
  onDetails: () => void;
}) {
  const current = useConnections((s) => s.current?.uri === entry.uri);
  return (
    <li className={ROW}>
      <button
        type="button"
        onClick={onDetails}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-md py-2 text-left"
      >
        <span className="text-fg-3">
          {entry.isSample ? <Cable size={18} aria-hidden /> : kindIcon(entry.kind, 18)}
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span className="truncate">{entry.title}</span>
            {current && (
              <Badge tone="accent">
                <Trans context="state">open</Trans>
              </Badge>
            )}
          </span>
          <span className="block truncate text-fg-3 text-sm">
            {entry.isSample ? t`Comes with Vitrine` : `${engineName(entry.kind)} · ${pathOf(entry.uri)}`}
          </span>
        </span>
      </button>
      {!entry.isSample && (
        <Button
          size="sm"
          variant="quiet"
          icon={<Plus size={14} />}
          onClick={() => startEditing(entry.kind, entry.uri, entry.title)}
        >
          <Trans>Add a name</Trans>
        </Button>
      )}
      <OpenButton
        uri={entry.uri}
        label={current ? t({ message: "Ask", context: "a question of this database" }) : t`Open`}
        onOpen={onOpen}
      />
    </li>
  );
}
