import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { History, ListTree, Waypoints } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { ExplanationView } from "../features/explain/ExplanationView";
import type { VisibleCards } from "../features/explain/picture/model";
import type { ExplainedQuery } from "../features/explain/state";
import type { Steering } from "../features/graph/detail/EditNode";
import type { RunModel } from "../features/graph/model/model";
import { Outline } from "../features/graph/outline/Outline";
import { ReplayBar } from "../features/graph/replay/ReplayBar";
import { replayer } from "../features/graph/replay/replay";
import { useRuns } from "../features/runs/state";
import type { Page, RunEvent } from "../host/bindings";
import { Button } from "../kit/button";
import { clipText } from "../kit/format";
import { Segmented, type SegmentedChoice } from "../kit/segmented";
import { showOf } from "../kit/show";
import { Empty, LoadingText } from "../kit/status";
import { type Face, type Form, navigate, useRoute } from "../navigation/route";
import { rememberFace, useUi } from "../navigation/uiState";
import { useSteering } from "./useSteering";
import { WithDetail } from "./WithDetail";

// Diagrams are large: they are loaded on demand.
const RunGraph = lazy(async () => ({ default: (await import("../features/graph/canvas/RunGraph")).RunGraph }));
const DataPicture = lazy(async () => ({
  default: (await import("../features/explain/picture/DataPicture")).DataPicture,
}));

const LONGEST_VALUE = 80;

const FORMS: SegmentedChoice<Form>[] = [
  {
    value: "picture",
    get label() {
      return t`Diagram`;
    },
    icon: <Waypoints size={14} aria-hidden />,
    get note() {
      return t`Show as a diagram`;
    },
  },
  {
    value: "outline",
    get label() {
      return t`Outline`;
    },
    icon: <ListTree size={14} aria-hidden />,
    get note() {
      return t`Show as a list`;
    },
  },
];

/** The data flow of the answer, or the run. */
export function GraphTab({
  run,
  running,
  query,
  node,
  step,
  onNode,
  onStep,
  onRows,
}: {
  run: RunModel;
  running: boolean;
  /** The answer's query. */
  query: ExplainedQuery;
  /** The selected node of the run, and the selected card of the data flow. */
  node: string | null;
  step: string | null;
  onNode: (id: string | null) => void;
  onStep: (id: string | null) => void;
  /** Shows the rows of a step, by its query. */
  onRows: (sql: string) => void;
}) {
  const { face, form, show } = useFace();
  const replay = useReplay(run);
  const steering = useSteering(run);
  const missing = running
    ? t`Available once there is an answer`
    : run.sql === null
      ? t`No answer to explain`
      : undefined;
  const shown = missing === undefined ? face : "work";
  const faces: SegmentedChoice<Face>[] = [
    { value: "data", label: t`Data flow`, note: t`How the answer was computed from the tables`, off: missing },
    {
      value: "work",
      label: t({ message: "Run", context: "the run, not to run" }),
      note: t`What Vitrine did to find the answer`,
    },
  ];
  const hint =
    missing !== undefined
      ? missing
      : shown === "data" && form === "picture" && run.code === null
        ? t`Select a column to trace its lineage`
        : "";
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-6 py-1.5">
        <Segmented label={t`Graph content`} value={shown} choices={faces} onChange={(next) => show(next, form)} />
        <p className="min-w-0 flex-1 truncate text-fg-3 text-sm">{hint}</p>
        {shown === "work" && run.status !== "running" && replay.shown === null && (
          <Button size="sm" variant="quiet" icon={<History size={14} />} onClick={replay.begin}>
            <Trans>Replay</Trans>
          </Button>
        )}
        <Segmented label={t`Display`} value={form} choices={FORMS} onChange={(next) => show(shown, next)} />
      </div>
      <Suspense fallback={<LoadingText className="p-6" />}>
        {shown === "work" ? (
          <>
            <Work
              run={replay.model ?? run}
              steering={replay.model === null ? steering : undefined}
              form={form}
              selected={node}
              onSelect={onNode}
            />
            {replay.shown !== null && (
              <ReplayBar
                events={replay.events}
                shown={replay.shown}
                onShow={replay.show}
                onClose={() => replay.show(null)}
              />
            )}
          </>
        ) : run.code !== null ? (
          <Empty icon={<ListTree size={20} />} title={t`Python code computed this answer`}>
            <Trans>Only SQL can be split into steps. The SQL and Python tab shows the views and the code.</Trans>
          </Empty>
        ) : form === "outline" ? (
          <ExplanationView query={query} dialect={run.dialect} rewritten={run.rewritten} onRows={onRows} />
        ) : (
          <DataPicture
            query={query}
            dialect={run.dialect}
            shown={run.page && visibleCards(run.page)}
            selected={step}
            onSelect={onStep}
            onRows={onRows}
            onView={(name) => {
              const view = run.views.find((v) => v.name === name);
              if (!view) return;
              onNode(view.id);
              show("work", "picture");
            }}
          />
        )}
      </Suspense>
    </>
  );
}

/** The answer's columns, number of rows and, if it is the only one, its value. */
function visibleCards({ columns, rows, rowCount }: Page): VisibleCards {
  const [column] = columns;
  const value = columns.length === 1 && rowCount === 1 ? (rows[0]?.[0] ?? null) : null;
  return {
    columns: columns.map(({ name }) => name),
    rows: rowCount,
    value: value === null ? null : clipText(showOf(column!)(value), LONGEST_VALUE),
  };
}

/** The displayed content: from the address, else the last selection. */
function useFace() {
  const route = useRoute((s) => s.route);
  const { face, form } = useUi();
  const at = route.page === "run" ? route : null;
  return {
    face: at?.face ?? face,
    form: at?.form ?? form,
    show: (face: Face, form: Form) => {
      rememberFace(face, form);
      if (at) navigate({ ...at, tab: "graph", face, form });
    },
  };
}

const NONE: RunEvent[] = [];

/** The run as it was after some of its events, while the user replays it. */
function useReplay({ runId }: RunModel) {
  const events = useRuns((s) => s.logs[runId]?.events ?? NONE);
  const [shown, setShown] = useState<number | null>(null);
  const at = useMemo(() => replayer(events), [events]);
  const show = useCallback((n: number | null) => setShown(n), []);
  const begin = useCallback(() => setShown(0), []);
  // The palette asks for it from any tab.
  const asked = useUi((s) => s.replay === runId);
  useEffect(() => {
    if (!asked) return;
    useUi.setState({ replay: null });
    begin();
  }, [asked, begin]);
  return { events, shown, show, begin, model: shown === null ? null : at(shown) };
}

function Work({
  run,
  steering,
  form,
  selected,
  onSelect,
}: {
  run: RunModel;
  /** The editable settings of the run. */
  steering: Steering | undefined;
  form: Form;
  selected: string | null;
  onSelect: (id: string | null) => void;
}) {
  if (run.stages.length === 0) return <LoadingText className="flex-1 p-6" />;
  if (form === "picture") {
    return (
      <WithDetail run={run} steering={steering} selected={selected} onSelect={onSelect}>
        <RunGraph run={run} selected={selected} onSelect={onSelect} onClose={() => onSelect(null)} />
      </WithDetail>
    );
  }
  const at = selected ?? run.stages[0]?.id ?? null;
  return (
    <WithDetail run={run} steering={steering} selected={at} onSelect={onSelect} wide>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Outline run={run} selected={at} onSelect={onSelect} />
      </div>
    </WithDetail>
  );
}
