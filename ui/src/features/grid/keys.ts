// What a key does in a grid, besides moving the selection.

import { isMod } from "../../kit/keys";

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

type Pressed = Pick<React.KeyboardEvent, "key" | "altKey" | "shiftKey" | "ctrlKey" | "metaKey">;

/** `row` is where the keyboard is; null at the header. */
export function actionOf(event: Pressed, row: number | null): GridAction | null {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isMod(event)) {
    if (key === "c") return event.shiftKey ? "copyNamed" : "copy";
    if (key === "a") return "selectAll";
    if (key === "f" && !event.shiftKey) return "search";
    return key === " " ? "selectColumn" : null;
  }
  if (row === null) return headerAction(event, key);
  if (key === "Enter") return event.altKey ? "why" : "open";
  if (key === " ") return event.shiftKey ? "selectRow" : "row";
  return key === "ArrowUp" && row === 0 && !event.shiftKey && !event.altKey ? "toHeader" : null;
}

function headerAction(event: Pressed, key: string): GridAction | null {
  if (key === "Enter" || key === " ") return "sort";
  if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) return "menu";
  if (key === "ArrowDown") return event.altKey ? "menu" : "toRows";
  if (key === "ArrowRight") return event.shiftKey ? "wider" : "right";
  if (key === "ArrowLeft") return event.shiftKey ? "narrower" : "left";
  if (key === "Home") return "first";
  if (key === "End") return "last";
  return key === "Escape" ? "toRows" : null;
}
