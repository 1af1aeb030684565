// Puts rows on the clipboard, and says so.

import { plural, t } from "@lingui/core/macro";
import type { ResultColumn } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { count } from "../../kit/format";
import { toast, toastError } from "../../kit/toast";
import { type CopyFormat, copyText, pickCells, toHtml, toTsv } from "./copy";
import type { RowSource } from "./source";

const COPY_ROWS = 100_000;
const COPY_VALUES = 2_000_000;

/**
 * Rows from one to before another, of some columns. A format has the names of the columns; without one they are bare. A table for a text begins with its question.
 */
export async function copyRows(
  source: RowSource,
  columns: number[],
  from: number,
  to: number,
  format: CopyFormat | null,
  question = "",
) {
  const rows = to - from;
  if (rows > COPY_ROWS || rows * columns.length > COPY_VALUES) {
    const most =
      rows > COPY_ROWS ? plural(COPY_ROWS, { one: "# row", other: "# rows" }) : t`${count(COPY_VALUES)} values`;
    toast({ tone: "bad", title: t`Only ${most} can be copied at once.`, text: t`Export to CSV instead.` });
    return;
  }
  try {
    const data = pickCells(await source.read(from, to), columns);
    const chosen: ResultColumn[] = columns.map((c) => source.columns[c]!);
    const text = format ? copyText(format, chosen, data, question) : toTsv(data);
    if (format === "html") await host().copyText(text, toHtml(chosen, data, question));
    else await host().copyText(text);
    const what =
      rows === 1 && columns.length === 1 && !format
        ? t`Copied.`
        : t`Copied ${plural(data.length, { one: "# row", other: "# rows" })}.`;
    toast({ id: "grid-copied", title: what, life: 2000 });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}
