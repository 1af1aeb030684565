import { t } from "@lingui/core/macro";
import { ReactFlowProvider } from "@xyflow/react";
import { useCallback, useMemo, useState } from "react";
import type { Dialect, Explanation } from "../../../host/bindings";
import { WithPanel } from "../../../kit/detail";
import { Explaining } from "../Explaining";
import type { ExplainedQuery } from "../state";
import { Canvas } from "./Canvas";
import { CardDetail } from "./CardDetail";
import { LineageBar } from "./LineageBar";
import { type PickedColumn, traceLineage } from "./lineage";
import { cardName, pictureOf, type VisibleCards } from "./model";

interface Props {
  dialect: Dialect | null;
  /** The answer's rows. */
  shown: VisibleCards | null;
  selected: string | null;
  onSelect: (card: string | null) => void;
  /** Shows the rows of a step, by its query. */
  onRows: (sql: string) => void;
  /** Opens a view of the method. */
  onView: (name: string) => void;
}

/** The data flow of the answer: tables, steps, result, and the lineage of each column. */
export function DataPicture({ query, ...props }: Props & { query: ExplainedQuery }) {
  return <Explaining query={query}>{(explanation) => <Loaded explanation={explanation} {...props} />}</Explaining>;
}

function Loaded({
  explanation,
  dialect,
  shown,
  selected,
  onSelect,
  onRows,
  onView,
}: Props & { explanation: Explanation }) {
  const rows = JSON.stringify(shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the rows
  const picture = useMemo(() => pictureOf(explanation, shown), [explanation, rows]);
  const [picked, setPicked] = useState<PickedColumn | null>(null);
  const traced = useMemo(() => picked && traceLineage(picture, picked), [picture, picked]);
  const card = picture.cards.find((c) => c.id === selected);
  const pick = useCallback(
    (next: PickedColumn) => setPicked((now) => (now?.card === next.card && now.column === next.column ? null : next)),
    [],
  );
  return (
    <WithPanel
      selected={card ? selected : null}
      label={card ? t`Details of ${cardName(card)}` : t`Details`}
      detail={
        card && (
          <CardDetail
            key={card.id}
            card={card}
            picture={picture}
            explanation={explanation}
            dialect={dialect}
            lit={traced?.columns.get(card.id) ?? null}
            picked={picked}
            onPick={pick}
            onSelect={onSelect}
            onRows={onRows}
            onView={onView}
          />
        )
      }
      onClose={() => onSelect(null)}
    >
      <div className="relative flex min-h-0 flex-1 flex-col">
        <ReactFlowProvider>
          <Canvas
            picture={picture}
            traced={traced}
            selected={card ? selected : null}
            onSelect={onSelect}
            onPick={pick}
            onEscape={() => {
              if (picked) setPicked(null);
              else if (card) onSelect(null);
              else return false;
              return true;
            }}
          />
        </ReactFlowProvider>
        {traced && <LineageBar picture={picture} traced={traced} onClose={() => setPicked(null)} />}
      </div>
    </WithPanel>
  );
}
