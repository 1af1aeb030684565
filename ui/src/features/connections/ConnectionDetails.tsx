import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ArrowLeft, Pencil } from "lucide-react";
import { useEffect } from "react";
import { engineName } from "../../domain/engines";
import { EnvironmentBadge } from "../../domain/environment";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { Badge, LoadingText } from "../../kit/status";
import { ApprovalsPart } from "./ApprovalsPart";
import { meteringOf } from "./billing";
import { editConnection, kindOf, loadConnections, startEditing, useConnectionList } from "./connection";
import { DefinitionsSection } from "./DefinitionsSection";
import { OpenButton } from "./OpenButton";
import { PreparationPart } from "./PreparationPart";
import { ReadingsSection } from "./ReadingsSection";
import { ScansPart } from "./ScansPart";
import { openWarehouse, useConnections } from "./state";
import { TablesSection } from "./TablesSection";
import { pathOf } from "./words";

/** The details of one database: its definitions, its tables, and the progress of reading it. */
export function ConnectionDetails({
  uri,
  onBack,
  onAsk,
}: {
  uri: string;
  onBack: () => void;
  /** Asks questions of the database, which is open. */
  onAsk: () => void;
}) {
  const connection = useConnectionList((s) => s.list.find((known) => known.address === uri));
  const entry = useConnections((s) => s.entries.find((known) => known.uri === uri));
  const { current, opening, failure } = useConnections();
  useEffect(() => void loadConnections(), []);
  const open = current?.uri === uri;
  const title = connection?.name ?? entry?.title ?? pathOf(uri);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-220 flex-col gap-6 px-8 py-6">
        <header>
          <Button size="sm" variant="quiet" icon={<ArrowLeft size={14} />} className="-ml-2.5" onClick={onBack}>
            <Trans>Connections</Trans>
          </Button>
          <div className="mt-2 flex items-center gap-2">
            <h1 className="truncate font-semibold text-xl">{title}</h1>
            <EnvironmentBadge environment={connection?.environment} />
            {connection?.settings.requireApproval && (
              <Badge>
                <Trans>SQL requires approval</Trans>
              </Badge>
            )}
            <span className="flex-1" />
            {!entry?.isSample && (
              <Button
                size="sm"
                icon={<Pencil size={14} />}
                onClick={() => {
                  if (connection) editConnection(connection);
                  else startEditing(kindOf(uri), uri, title);
                  onBack();
                }}
              >
                {connection ? t`Edit and test` : t`Add a name`}
              </Button>
            )}
            <OpenButton
              uri={uri}
              label={open ? t`Ask a question` : t`Open`}
              variant="primary"
              onOpen={() => (open ? onAsk() : void openWarehouse(uri))}
            />
          </div>
          <p className="wrap-anywhere text-fg-3 text-sm">
            {engineName(kindOf(uri))} · {pathOf(uri)}
            {connection && connection.schemas.length > 0 && ` · ${t`schemas: ${connection.schemas.join(", ")}`}`}
          </p>
        </header>
        {failure?.uri === uri && <ErrorNote error={failure.error} compact />}
        {opening === uri && <LoadingText />}
        {open ? (
          <>
            <PreparationPart uri={uri} />
            {meteringOf(kindOf(uri)) !== "untold" && <ScansPart uri={uri} />}
            <ApprovalsPart uri={uri} required={connection?.settings.requireApproval ?? false} />
            <DefinitionsSection key={uri} uri={uri} />
            <ReadingsSection key={`readings ${uri}`} uri={uri} />
            <TablesSection key={`tables ${uri} ${current.fingerprint}`} uri={uri} />
          </>
        ) : (
          opening !== uri && (
            <p className="text-fg-3">
              <Trans>Open it to see its tables and definitions.</Trans>
            </p>
          )
        )}
      </div>
    </div>
  );
}
