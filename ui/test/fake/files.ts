// How files were read, as the window shows it: one table with everything that can be said.

import type { FileOptions, FileReading } from "../../src/host/bindings";

export const READINGS: FileReading[] = [
  {
    table: "orders",
    file: "orders.csv",
    sheet: null,
    encoding: "windows-1252",
    delimiter: ";",
    decimal: "comma",
    dateOrder: "dayFirst",
    headerRow: 3,
    skipped: [{ row: 1, text: "Bestellungen 2025" }],
    setAside: [
      { row: 18466, reason: "total", text: "Summe | 1.204.331,50" },
      { row: 18468, reason: "footnote", text: "* vorläufige Zahlen" },
    ],
    converted: [
      { column: "total", how: "read as a number with a decimal comma from text such as '1.200,00'; in €" },
      { column: "order_date", how: "read as a date with the day first from text such as '31.12.2025'" },
    ],
    doubts: ["shipped may have the day or the month first, such as '01.02.2025'; it stays text."],
    leftOut: null,
    options: {
      encoding: null,
      delimiter: null,
      decimal: null,
      dateOrder: null,
      headerRow: null,
      keepRows: false,
      asText: [],
    },
  },
];

/** The same after the user's word. */
export function readAs(readings: FileReading[], table: string, options: FileOptions): FileReading[] {
  return readings.map((reading) => {
    if (reading.table !== table) return reading;
    const first = READINGS.find((known) => known.table === table) ?? reading;
    return {
      ...first,
      options,
      setAside: options.keepRows ? [] : first.setAside,
      dateOrder: options.dateOrder ?? first.dateOrder,
      doubts: options.dateOrder ? [] : first.doubts,
    };
  });
}
