// The selected cells: an anchor, where the selection began, and a head, where the keyboard is.

export interface Cell {
  row: number;
  column: number;
}

export interface Selection {
  anchor: Cell;
  head: Cell;
}

export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Both ends included. */
export function rangeOf({ anchor, head }: Selection): Range {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}

export function inRange(range: Range | null, row: number, column: number): boolean {
  return range !== null && row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
}

export interface Key {
  key: string;
  shift: boolean;
  mod: boolean;
}

/** The selection after a key, or null when the key does not move it. */
export function moveBy(at: Selection, key: Key, rows: number, columns: number, pageRows: number): Selection | null {
  const { row, column } = at.head;
  const last = { row: Math.max(0, rows - 1), column: Math.max(0, columns - 1) };
  const targets: Record<string, Cell> = {
    ArrowUp: { row: key.mod ? 0 : row - 1, column },
    ArrowDown: { row: key.mod ? last.row : row + 1, column },
    ArrowLeft: { row, column: key.mod ? 0 : column - 1 },
    ArrowRight: { row, column: key.mod ? last.column : column + 1 },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
    Home: { row: key.mod ? 0 : row, column: 0 },
    End: { row: key.mod ? last.row : row, column: last.column },
  };
  const target = targets[key.key];
  if (!target) return null;
  const head = {
    row: Math.max(0, Math.min(last.row, target.row)),
    column: Math.max(0, Math.min(last.column, target.column)),
  };
  return { anchor: key.shift ? at.anchor : head, head };
}
