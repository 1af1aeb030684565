// The format of a column as data: the backend searches formatted values, in the language of the window.

import type { ResultColumn, ShownAs } from "../../host/bindings";
import { locale as chosenLocale } from "../../kit/language";
import { integerKind, monthDates, separatorsOf } from "../../kit/show";
import { type Format, frames } from "./columnFormat";

export function formattedValues(
  { name, type }: Pick<ResultColumn, "name" | "type">,
  format?: Format,
  exact = false,
  locale = chosenLocale(),
): ShownAs {
  if (exact || format?.kind === "exact") return { kind: "exact" };
  if (format) {
    const [positive, negative] = frames(format, locale);
    const shift = format.kind === "percent" && !format.whole ? 2 : 0;
    return { kind: "rounded", number: separatorsOf(locale), places: format.places, shift, positive, negative };
  }
  switch (type) {
    case "integer": {
      const kind = integerKind(name);
      return kind === "identifier"
        ? { kind: "exact" }
        : { kind: "number", number: separatorsOf(locale), years: kind === "year" };
    }
    case "decimal":
    case "float":
      return { kind: "number", number: separatorsOf(locale), years: false };
    case "date":
    case "timestamp":
      return { kind: "day", months: monthDates(locale) };
    case "nested":
      return { kind: "json" };
    default:
      return { kind: "exact" };
  }
}
