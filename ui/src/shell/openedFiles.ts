// Says how data files were read when the user opens them: what was set aside or read as something else is not to be
// found out by a wrong sum.

import { plural, t } from "@lingui/core/macro";
import { useConnections } from "../features/connections/state";
import type { FileReading } from "../host/bindings";
import { host } from "../host/host";
import { toast } from "../kit/toast";
import { navigate } from "../navigation/route";

/** From now on, for each warehouse of data files that is opened. */
export function watchOpenedFiles() {
  return useConnections.subscribe(({ current }, before) => {
    const same = current?.uri === before.current?.uri && current?.fingerprint === before.current?.fingerprint;
    if (current?.kind === "file" && !same) void notifyOpened(current.uri);
  });
}

async function notifyOpened(uri: string) {
  const readings = await host()
    .fileReadings(uri)
    .catch(() => []);
  const what = readingText(readings);
  if (what === "" || useConnections.getState().current?.uri !== uri) return;
  const inDoubt = readings.some(({ doubts, leftOut }) => doubts.length > 0 || leftOut !== null);
  toast({
    id: "opened-files",
    title: inDoubt ? t`Review how the files were read` : t`How the files were read`,
    text: what,
    life: 15_000,
    actions: [{ label: t`Show`, run: () => navigate({ page: "tables" }) }],
  });
}

/** Describes conversions and omissions; empty if there were none. */
export function readingText(readings: FileReading[]): string {
  const count = (of: (reading: FileReading) => unknown[]) =>
    readings.reduce((sum, reading) => sum + of(reading).length, 0);
  const aside = count((reading) => reading.setAside);
  const converted = count((reading) => reading.converted);
  const doubts = count((reading) => reading.doubts);
  const leftOut = readings.filter((reading) => reading.leftOut !== null).length;
  return [
    aside > 0 && plural(aside, { one: "# row set aside", other: "# rows set aside" }),
    converted > 0 && plural(converted, { one: "# column converted", other: "# columns converted" }),
    doubts > 0 && plural(doubts, { one: "# to check", other: "# to check" }),
    leftOut > 0 && plural(leftOut, { one: "# file not read", other: "# files not read" }),
  ]
    .filter(Boolean)
    .join(", ");
}
