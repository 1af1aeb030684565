import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type Ref, useEffect } from "react";
import { AskBox, type AskBoxHandle } from "../features/ask/AskBox";
import { useAsk } from "../features/ask/state";
import { NAMES } from "../features/ask/useMentions";
import { useNamesAway } from "../features/catalog/large";
import { loadCatalog, useCatalogs } from "../features/catalog/state";
import { loadDefinitions, useDefinitions } from "../features/connections/definitions";
import { stopOpening, useConnections } from "../features/connections/state";
import { useRuns } from "../features/runs/state";
import { missingModels, useSettings } from "../features/settings/state";
import type { AppError, Definitions } from "../host/bindings";
import { host } from "../host/host";
import { Button } from "../kit/button";
import { ErrorNote } from "../kit/error";
import { navigate } from "../navigation/route";
import { ErrorAction } from "../run/ErrorAction";
import { submitQuestion, useAsking } from "../run/startRun";
import { requestStop } from "../run/stopRunState";
import { FirstStart } from "./FirstStart";
import { keepTypedDefinitions } from "./keepDefinitions";
import { OpeningProblem } from "./OpeningProblem";
import { useEstimate } from "./useEstimate";
import { useModelChoices } from "./useModels";
import { VerifiedOffer } from "./VerifiedOffer";

/** The question box, connected to the other features. */
export function AskPanel({
  running,
  compact,
  ref,
}: {
  /** The run that Stop stops. */
  running: string | null;
  compact?: boolean;
  ref?: Ref<AskBoxHandle>;
}) {
  const strategy = useSettings((s) => s.settings?.strategy ?? "auto");
  const list = useRuns((s) => s.list);
  const schemaOnly = useConnections((s) => s.current?.kind === "ddl");
  const models = useModelChoices(true);
  const data = useOpenData();
  useWarm(running);
  const typing = useAsk((s) => s.text.trim() !== "");
  const catalog = useCatalogs((s) => (data ? (s.entries[data]?.catalog ?? null) : null));
  const namesAway = useNamesAway(data, NAMES);
  // For the names that an `@` lists.
  useEffect(() => {
    if (data && typing) void loadCatalog(data);
  }, [data, typing]);
  // Beside an answer, only a question that is not the one answered is about to be asked.
  const unasked = useAsk((s) => !compact || s.text.trim() !== s.own.text.trim());
  const known = useKnownDefinitions(data);
  const estimate = useEstimate(running === null && unasked ? data : null);
  return (
    <div>
      <AskBox
        ref={ref}
        compact={compact}
        defaultStrategy={strategy}
        models={models}
        history={[...new Set(list.map((r) => r.question))]}
        running={running !== null}
        disabled={
          schemaOnly ? t`This warehouse is a schema without data. Open one with data to ask questions.` : null
        }
        estimate={estimate}
        catalog={catalog}
        namesAway={namesAway}
        onKeep={data && running === null ? () => void keepTypedDefinitions(data) : null}
        known={known}
        onEditKnown={data ? () => navigate({ page: "connections", uri: data }) : undefined}
        onAsk={() => void submitQuestion()}
        onStop={() => running && requestStop(running)}
      />
      {data && running === null && unasked && <VerifiedOffer warehouse={data} />}
      <AskProblem home={!compact} />
    </div>
  );
}

/** Why the last question could not start, or what it waits for. */
export function AskProblem({ home }: { home?: boolean }) {
  const { error, waiting, unopened } = useAsking();
  const needed = useSettings((s) => missingModels(s).length > 0) && error?.code === "modelMissing";
  return (
    <>
      {waiting && (
        <div className="mt-3 flex items-center gap-3 px-1">
          <p role="status" className="text-fg-3 text-sm">
            <Trans>Opening the warehouse. The question starts when it is open.</Trans>
          </p>
          <Button size="sm" onClick={() => void stopOpening()}>
            <Trans>Stop</Trans>
          </Button>
        </div>
      )}
      {(home || unopened) && <OpeningProblem unasked={unopened} />}
      {error && (needed ? <Waits home={home} /> : <ErrorBelow error={error} />)}
    </>
  );
}

function ErrorBelow({ error }: { error: AppError }) {
  const all = useSettings((s) => s.models.every((m) => m.present || m.kind !== "embedded"));
  // The model is here by now: the question can be asked again.
  if (error.code === "modelMissing" && all) return null;
  return (
    <div className="mt-3">
      <ErrorNote error={error} action={<ErrorAction error={error} />} />
    </div>
  );
}

/** The question waits for a model. All ways to one are offered: above the box of the start page, else here. */
function Waits({ home }: { home?: boolean }) {
  return (
    <div className="mt-3">
      {!home && <FirstStart />}
      <p role="status" className="px-1 text-fg-2 text-sm">
        <Trans>Your question is saved. Ask it when the model is ready, or use a remote model.</Trans>
      </p>
    </div>
  );
}

/** The definitions of a database, loaded when the user opens the field for definitions. */
function useKnownDefinitions(data: string | null): Definitions | null {
  const open = useAsk((s) => s.knowledgeOpen);
  const known = useDefinitions((s) => (data ? (s.kept[data] ?? null) : null));
  useEffect(() => {
    if (open && data) void loadDefinitions(data);
  }, [open, data]);
  return known;
}

/** The open data that questions can be asked of. */
function useOpenData(): string | null {
  return useConnections((s) => (s.current && s.current.kind !== "ddl" ? s.current.uri : null));
}

/** Has the model read the schema before the question is there. */
export function useWarm(running: string | null) {
  const typing = useAsk((s) => s.text.trim() !== "");
  const data = useOpenData();
  // The first question about a warehouse: the model has not read its schema yet, which takes longest.
  const fresh = useRuns((s) => s.status === "ready" && s.search === "" && !s.list.some((r) => r.warehouse === data));
  useEffect(() => {
    // This only saves time: the question itself reports errors.
    if ((typing || fresh) && data && running === null)
      void host()
        .warm(data)
        .catch(() => undefined);
  }, [typing, fresh, data, running]);
}
