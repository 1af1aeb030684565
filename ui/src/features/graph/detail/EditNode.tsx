import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Pencil } from "lucide-react";
import { useRef, useState } from "react";
import { changeInWords } from "../../../domain/changeText";
import type { RunChange, SteerEdit, SteerPlace } from "../../../host/bindings";
import { Button } from "../../../kit/button";
import { discardFormDraft, setFormDraft, useFormDraft, useFormDrafts } from "../../../kit/formDrafts";
import type { GraphNode, RunModel, StageNode } from "../model/model";
import { againInWords, asInGraph, editName, isChanged } from "../model/steering";
import { ChangeFields } from "./changeFields";

/** The editable settings of a run, and the action that runs it again with them. */
export interface Steering {
  places: SteerPlace[];
  /** Gives true once the new run has begun. */
  onRun: (changes: RunChange[]) => Promise<boolean>;
}

/** Where a stage's result came from, if not from work of its own. */
export function Kept({ stage, onEarlier }: { stage: StageNode; onEarlier?: (runId: string) => void }) {
  const { keptFrom, edits } = stage;
  if (keptFrom === null && edits.length === 0) return null;
  return (
    <p className="rounded-md bg-accent-soft px-3 py-2 text-sm">
      {edits.length > 0 && t`Edited by you: ${edits.map(changeInWords).join(", ")}. `}
      {keptFrom !== null && t`Kept from the earlier run. `}
      {keptFrom !== null && onEarlier && (
        <button type="button" className="text-accent hover:underline" onClick={() => onEarlier(keptFrom)}>
          <Trans>Open that run</Trans>
        </button>
      )}
    </p>
  );
}

/** Edits what a node gave and runs again what depends on it; where that cannot be, the reason. Escape keeps what is typed. */
export function EditNode({ node, run, steering }: { node: GraphNode; run: RunModel; steering: Steering }) {
  const place = steering.places.find((p) => p.node === (node.type === "view" ? node.stage : node.id));
  const edits = (place?.edits ?? []).filter(
    ({ change }) => node.type !== "view" || (change.kind === "view" && change.name === node.name),
  );
  const placeOf = (at: number) => `edit ${run.runId} ${node.id} ${at}`;
  const begun = useFormDrafts((s) => edits.findIndex((_, at) => s.forms[placeOf(at)] !== undefined));
  // An edit that was begun is open again.
  const [chosen, setOpen] = useState<number | null | undefined>(undefined);
  const open = chosen === undefined ? (begun === -1 ? null : begun) : chosen;
  /** The form is closed, and its button has the focus again. */
  const back = useRef<number | null>(null);
  if (!place) return null;
  if (edits.length === 0) {
    const why = place.whyNot ?? t`This view cannot be edited because the run did not keep it.`;
    return <p className="text-fg-3 text-sm">{why.endsWith(".") ? why : `${why}.`}</p>;
  }
  const edit = open === null ? undefined : edits[open];
  if (edit) {
    const close = () => {
      back.current = open;
      setOpen(null);
    };
    return (
      <Editor
        key={open}
        place={placeOf(open!)}
        edit={edit}
        node={node}
        run={run}
        onRun={steering.onRun}
        onClose={close}
      />
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      {edits.map(({ change }, i) => (
        <Button
          key={i}
          ref={(button) => {
            if (!button || back.current !== i) return;
            back.current = null;
            button.focus();
          }}
          size="sm"
          icon={<Pencil size={13} />}
          onClick={() => setOpen(i)}
        >
          {editName(change)}
        </Button>
      ))}
      {begun !== -1 && (
        <p className="self-center text-fg-3 text-sm">
          <Trans>Your text is kept.</Trans>
        </p>
      )}
    </div>
  );
}

function Editor({
  place,
  edit,
  node,
  run,
  onRun,
  onClose,
}: {
  /** Where what is typed is kept. */
  place: string;
  edit: SteerEdit;
  node: GraphNode;
  run: RunModel;
  onRun: Steering["onRun"];
  onClose: () => void;
}) {
  const [change, setChange] = useFormDraft(place, edit.change);
  const steps = asInGraph(edit, run);
  const [busy, setBusy] = useState(false);
  return (
    <form
      aria-label={editName(edit.change)}
      className="flex flex-col gap-3 rounded-md border border-line p-3"
      onSubmit={(e) => {
        e.preventDefault();
        setBusy(true);
        void onRun([change])
          .then((went) => went && setFormDraft(place, null))
          .finally(() => setBusy(false));
      }}
      onKeyDown={(e) => {
        if (e.key !== "Escape") return;
        e.stopPropagation();
        onClose();
      }}
    >
      <ChangeFields
        change={change}
        tables={node.type === "stage" ? tablesOf(node, run) : []}
        adds={node.type === "stage" && node.kind === "selection"}
        onChange={setChange}
      />
      <p className="text-fg-2 text-sm">
        {againInWords(steps)}
        {steps.kept.length > 0 && t` Kept: ${steps.kept.join(", ")}.`}
      </p>
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" busy={busy} disabled={!isChanged(edit.change, change)}>
          <Trans>Run from here</Trans>
        </Button>
        <Button
          size="sm"
          onClick={() => {
            discardFormDraft(place);
            onClose();
          }}
        >
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}

/** The tables that can be left out at a node. */
function tablesOf(node: StageNode, run: RunModel) {
  if (node.selection) return node.selection.tables;
  const chunks = node.schema?.chunks ?? run.stages.find((s) => s.schema)?.schema?.chunks ?? [];
  // Merged tables are listed under one pattern, which names none of them.
  const names = new Set(chunks.flatMap((chunk) => chunk.tables).filter((name) => !/[{}*]/.test(name)));
  return [...names].map((name) => ({ name, columns: [] }));
}
