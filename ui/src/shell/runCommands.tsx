import { t } from "@lingui/core/macro";
import {
  Bookmark,
  Code,
  Columns2,
  CornerDownRight,
  Download,
  FileCheck2,
  FileJson2,
  History,
  ListTree,
  MessageSquareText,
  Pencil,
  Pin,
  PinOff,
  RefreshCw,
  SendHorizontal,
  SquarePen,
  Trash2,
  Waypoints,
} from "lucide-react";
import type { ReactNode } from "react";
import { startEvidence } from "../answer/evidence";
import type { ExportFormat } from "../answer/exports";
import { compareRun, currentRun, exportCurrent, removeRun, replayRun, saveCurrent } from "../answer/runActions";
import { focusFollowUp, followUpBox } from "../ask/FollowUp";
import { exportRun, pinRun, startRenaming, useRuns } from "../features/runs/state";
import type { ShortcutId } from "../kit/shortcuts";
import { type Face, navigate, type RunTab } from "../navigation/route";
import { useUi } from "../navigation/uiState";
import { askAgain } from "../run/startRun";
import type { PaletteItem } from "./paletteItem";

const questionBox = () => document.querySelector<HTMLElement>("textarea[data-question]");

const FORMATS: [ExportFormat, string][] = [
  ["csv", "CSV"],
  ["xlsx", "Excel"],
  ["parquet", "Parquet"],
  ["json", "JSON"],
];

/** The palette's commands for the run on the page: its tabs and its actions. */
export function runItems(): PaletteItem[] {
  const shown = currentRun();
  if (!shown) return [];
  const { run, tab, running } = shown;
  const { runId } = run;
  const settled = run.lastSeq > 0 && !running;
  const listed = useRuns.getState().list.find((r) => r.runId === runId);
  const item = (id: string, label: string, icon: ReactNode, run: () => void, command?: ShortcutId): PaletteItem => ({
    id: `run-${id}`,
    group: "Run",
    label,
    icon,
    run,
    command,
  });
  const open = (tab: RunTab, face?: Face) => () => navigate({ page: "run", runId, tab, face });
  return [
    item("answer", t`Show answer`, <MessageSquareText size={15} />, open("answer"), "answer"),
    item("data", t`Show data flow`, <Waypoints size={15} />, open("graph", "data")),
    item("work", t`Show run`, <ListTree size={15} />, open("graph", "work")),
    ...(run.sql ? [item("sql", t`Show SQL`, <Code size={15} />, open("sql"), "sql")] : []),
    item("sent", t`Show what was sent`, <SendHorizontal size={15} />, open("sent"), "sent"),
    ...(run.question
      ? [
          {
            ...item(
              "edit",
              t`Edit question`,
              <SquarePen size={15} />,
              () => useUi.setState({ editing: runId }),
              "focusQuestion",
            ),
            focus: questionBox,
          },
          item(
            "again",
            t`Start over`,
            <RefreshCw size={15} />,
            () => void askAgain(run.question, run.warehouse, run.knowledge, run.follows),
          ),
        ]
      : []),
    ...(settled && run.sql
      ? [
          {
            ...item("follow", t`Ask a follow-up`, <CornerDownRight size={15} />, focusFollowUp, "followUp"),
            focus: followUpBox,
          },
          item("save", t`Save question`, <Bookmark size={15} />, saveCurrent, "save"),
          ...FORMATS.map(([format, name]) => ({
            ...item(`export-${format}`, t`Export rows as ${name}`, <Download size={15} />, () =>
              exportCurrent(run, tab, format),
            ),
            sought: format !== "csv",
          })),
          item("evidence", t`Evidence bundle…`, <FileCheck2 size={15} />, () => startEvidence(run)),
        ]
      : []),
    ...(run.question
      ? [item("json", t`Export run as JSON`, <FileJson2 size={15} />, () => void exportRun(runId))]
      : []),
    ...(settled
      ? [
          item("compare", t`Compare with another run`, <Columns2 size={15} />, () => compareRun(run)),
          ...(run.status === "running"
            ? []
            : [item("replay", t`Replay`, <History size={15} />, () => replayRun(runId))]),
        ]
      : []),
    ...(listed
      ? [
          item("rename", t`Rename`, <Pencil size={15} />, () => startRenaming(listed)),
          listed.pinned
            ? item("pin", t`Unpin`, <PinOff size={15} />, () => void pinRun(runId, false))
            : item("pin", t`Pin`, <Pin size={15} />, () => void pinRun(runId, true)),
        ]
      : []),
    ...(settled ? [item("delete", t`Delete`, <Trash2 size={15} />, () => removeRun(runId))] : []),
  ];
}
