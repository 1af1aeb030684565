// Actions of keys in a grid, besides moving the selection.

import { isMod, type PressedKey } from "../../kit/keyNames";
import { type ShortcutId, shortcutOf } from "../../kit/shortcuts";

export type GridAction =
  | "why"
  | "copy"
  | "copyNamed"
  | "selectAll"
  | "selectColumn"
  | "selectRow"
  | "search"
  | "open"
  | "row"
  | "sort"
  | "menu"
  | "wider"
  | "narrower"
  | "left"
  | "right"
  | "first"
  | "last"
  | "toRows"
  | "toHeader";

const ACTIONS: { [id in ShortcutId]?: GridAction } = {
  findInRows: "search",
  copy: "copy",
  copyNamed: "copyNamed",
  selectAll: "selectAll",
  openValue: "open",
  openRow: "row",
  sourceRows: "why",
};
/** Actions on the row or cell with the keyboard focus. */
const OF_A_CELL: GridAction[] = ["open", "row", "why"];

/** `row` is where the keyboard is; null at the header. */
export function actionOf(event: PressedKey, row: number | null): GridAction | null {
  const { key } = event;
  const mod = isMod(event);
  const atHeader = row === null && !mod ? headerAction(event) : null;
  if (atHeader) return atHeader;
  const id = shortcutOf(event, ["grid"]);
  const action = id && ACTIONS[id];
  if (action && !(row === null && OF_A_CELL.includes(action))) return action;
  if (key === " " && mod) return "selectColumn";
  if (row === null) return null;
  if (key === " " && event.shiftKey) return "selectRow";
  return key === "ArrowUp" && row === 0 && !mod && !event.shiftKey && !event.altKey ? "toHeader" : null;
}

function headerAction(event: PressedKey): GridAction | null {
  const { key } = event;
  if (key === "Enter" || key === " ") return "sort";
  if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) return "menu";
  if (key === "ArrowDown") return event.altKey ? "menu" : "toRows";
  if (key === "ArrowRight") return event.shiftKey ? "wider" : "right";
  if (key === "ArrowLeft") return event.shiftKey ? "narrower" : "left";
  if (key === "Home") return "first";
  if (key === "End") return "last";
  return key === "Escape" ? "toRows" : null;
}
