// Facts about exported rows: on a second sheet of a workbook, in a text file beside other formats.

import { t } from "@lingui/core/macro";
import { useConnections } from "../features/connections/state";
import { knownExplanation } from "../features/explain/state";
import type { RunModel } from "../features/graph/model/model";
import { sheetFormat } from "../features/grid/columnFormat";
import { chosenFormats } from "../features/grid/layoutStore";
import type { Origin } from "../features/grid/origin";
import type { ExportAbout, ExportColumn, ExportFact } from "../host/bindings";
import { calendarDay, timeOfDay } from "../kit/format";
import { runNow } from "../run/runModel";
import { conditionsOf, doubtsOf } from "./answer";
import { certaintyInWords, doubtInWords, measuredInWords, sideOf } from "./certaintyText";
import { headerNames } from "./headline";

/** The answer that exported rows belong to. */
export interface ExportedAnswer {
  runId: string;
  /** Which rows, if they are not those of the answer itself. */
  whose: string | null;
}

/** The warning about exported rows whose answer is not sure; null if the rows are not the answer's own. */
export function doubtOf(answer: ExportedAnswer | null): string | null {
  return answer === null || answer.whose !== null ? null : doubtInWords(runNow(answer.runId).run.certainty);
}

type Fact = [label: string, text: string | null | undefined];

/** `ignored` says what the grid shows otherwise than the file. */
export function aboutExport(
  origin: Origin,
  question: string,
  answer: ExportedAnswer | null,
  ignored: string | null,
  beside: boolean,
  now = new Date().toISOString(),
): ExportAbout {
  const shown = answer && runNow(answer.runId);
  const run = shown?.run ?? null;
  const own = run !== null && answer?.whose === null ? run : null;
  const sql = "sql" in origin ? origin.sql : (run?.sql ?? "");
  const warehouse = "sql" in origin ? origin.warehouse : (run?.warehouse ?? "");
  const facts: Fact[] = [
    [t`Question`, question],
    [t`Asked`, run?.startedAt && momentText(run.startedAt)],
    [t`Exported`, momentText(now)],
    [t`Rows`, answer?.whose],
    ...(own ? certaintyFacts(own, shown?.checking === true) : []),
    [t`Certainty`, run && !own ? t`The certainty of the answer does not apply to these rows` : null],
    ...(own ? answerFacts(own, sql) : []),
    [t`Filters`, ignored ?? t`None: all rows, as returned by the query`],
    ["SQL", sql],
    [t`Code`, "table" in origin ? run?.code : null],
    [t`Source`, sourceOf(warehouse)],
  ];
  return {
    title: run === null ? t`About these rows` : t`About this answer`,
    facts: facts.flatMap(([label, text]): ExportFact[] => (text ? [{ label, text }] : [])),
    beside,
    columns: own ? columnsOf(own) : [],
  };
}

function certaintyFacts({ certainty }: RunModel, checking: boolean): Fact[] {
  if (certainty === null) return [[t`Certainty`, t`Not estimated`]];
  return [
    [t`Certainty`, certaintyInWords(certainty, checking)],
    ...certainty.reasons.map((reason): Fact => [sideOf(reason), reason.text]),
    [t`Measured`, measuredInWords(certainty)],
  ];
}

/** Conditions, changes and doubts of an answer, as its page tells them. */
function answerFacts(run: RunModel, sql: string): Fact[] {
  const { warehouse, question } = run;
  const explanation = knownExplanation({ warehouse, sql, question, own: run.explanation });
  const { changes, variants, findings } = run.rules;
  const noted = (notes: { note: string }[]) => notes.map(({ note }) => note).join("\n");
  return [
    [t`Conditions`, conditionsOf(run, explanation).join("\n")],
    [t`Vitrine changed the query`, noted(changes)],
    [t`Variant`, noted(variants)],
    [t`Finding`, noted(findings)],
    [
      t`Worth checking`,
      doubtsOf(explanation)
        .map(({ text }) => text)
        .join("\n"),
    ],
    [t`Notes`, run.warnings.map(({ message }) => message).join("\n")],
  ];
}

/** Headers and number formats of a workbook: as the grid has them. */
function columnsOf(run: RunModel): ExportColumn[] {
  if (run.page === null) return [];
  const { columns } = run.page;
  const [headers, formats] = [headerNames(run.page, run.headline), chosenFormats(run.runId, columns)];
  return columns.map((column, at) => ({ header: headers[at] ?? null, format: sheetFormat(column, formats[at]) }));
}

function sourceOf(uri: string): string {
  const title = useConnections.getState().entries.find((entry) => entry.uri === uri)?.title;
  return title && title !== uri ? `${title} (${uri})` : uri;
}

const momentText = (iso: string) => `${calendarDay(iso)}, ${timeOfDay(iso)}`;
