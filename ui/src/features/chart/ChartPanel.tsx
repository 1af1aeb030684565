import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Download } from "lucide-react";
import { useMemo } from "react";
import type { Picture, ResultColumn } from "../../host/bindings";
import { Menu, MenuItem } from "../../kit/menu";
import { Segmented } from "../../kit/segmented";
import { Select } from "../../kit/select";
import { useTheme } from "../../kit/theme";
import { ChartFigure } from "./ChartFigure";
import { CHART_NAMES, type Choices, type Row } from "./choose";
import { asPng, asSvg } from "./draw";
import { inkOf } from "./ink";
import { drawingOf } from "./spec";
import { chooseChart, useCharts } from "./state";

/** The size of an exported chart, in points. */
const EXPORTED = { width: 880, height: 420 };

/** A result as a chart, with the choice of its type and its measure. */
export function ChartPanel({
  runId,
  choices,
  columns,
  labels,
  rows,
  height,
  onPick,
  onExport,
}: {
  runId: string;
  choices: Choices;
  columns: ResultColumn[];
  /** Columns as readers say them. */
  labels: string[];
  rows: readonly Row[];
  height: number;
  /** Shows the source rows of a value. */
  onPick?: (row: Row, column: number) => void;
  /** Asks where a picture is to be written, and writes it. */
  onExport: (kind: Picture["kind"], make: () => Promise<Picture>) => void;
}) {
  const dark = useTheme((s) => s.dark);
  const chosen = useCharts((s) => s.chosen[runId]);
  const named = useMemo(() => ({ columns, labels }), [columns, labels]);
  const of = choices.measures.find(({ column }) => columns[column]!.name === chosen?.measure) ?? choices.measures[0]!;
  const chart = of.charts.find(({ type }) => type === chosen?.type) ?? of.charts[0]!;
  const measure = columns[of.column]!.name;
  const off = chosen?.type === "none";
  const make = async (kind: Picture["kind"]): Promise<Picture> => {
    const { spec } = drawingOf(named, chart, rows, inkOf(dark), EXPORTED);
    return kind === "svg" ? { kind, content: await asSvg(spec) } : { kind, content: await asPng(spec) };
  };
  const types = [...of.charts.map(({ type }) => ({ value: type as string, label: CHART_NAMES[type] }))];
  return (
    <section aria-label={t`Chart`} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Segmented
          label={t`Chart type`}
          value={off ? "none" : chart.type}
          choices={[...types, { value: "none", label: t({ message: "None", context: "no chart" }) }]}
          onChange={(type) => chooseChart(runId, { type: type as typeof chart.type | "none", measure })}
        />
        {!off && choices.measures.length > 1 && (
          <Select
            quiet
            label={t`Measure`}
            value={measure}
            choices={choices.measures.map(({ column }) => ({ value: columns[column]!.name, label: labels[column]! }))}
            onChange={(next) => chooseChart(runId, { type: chart.type, measure: next })}
          />
        )}
        <span className="flex-1" />
        {!off && (
          <Menu
            align="end"
            trigger={
              <button
                type="button"
                aria-label={t`Export chart`}
                title={t`Export chart`}
                className="flex size-7 items-center justify-center rounded-md text-fg-2 hover:bg-hover hover:text-fg data-popup-open:bg-hover"
              >
                <Download size={14} aria-hidden />
              </button>
            }
          >
            <MenuItem note=".svg" onSelect={() => onExport("svg", () => make("svg"))}>
              <Trans>SVG image</Trans>
            </MenuItem>
            <MenuItem note=".png" onSelect={() => onExport("png", () => make("png"))}>
              <Trans>PNG image</Trans>
            </MenuItem>
          </Menu>
        )}
      </div>
      {!off && (
        <ChartFigure
          named={named}
          chart={chart}
          rows={rows}
          height={height}
          onPick={onPick && ((row) => onPick(row, chart.measure))}
        />
      )}
    </section>
  );
}
