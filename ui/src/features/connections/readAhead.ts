// Settings for reading a database before the first question.

import { engineNamed } from "../../domain/engines";
import type { ReadingAhead, WarehouseKind } from "../../host/bindings";

export function readingAhead(kind: WarehouseKind): ReadingAhead {
  return engineNamed(kind)?.readingAhead ?? "whole";
}
