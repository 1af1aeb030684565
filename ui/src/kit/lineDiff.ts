// A line diff of two texts, side by side.

export interface DiffRow {
  left: string | null;
  right: string | null;
  kind: "same" | "changed" | "removed" | "added";
}

/** Pairs the lines of two texts along their longest common subsequence. */
export function diffLines(before: string, after: string): DiffRow[] {
  const a = before.split("\n");
  const b = after.split("\n");
  const table = lcs(a, b);
  const rows: DiffRow[] = [];
  let i = 0;
  let j = 0;
  let gone: string[] = [];
  let come: string[] = [];
  const flush = () => {
    const n = Math.max(gone.length, come.length);
    for (let k = 0; k < n; k++) {
      const left = gone[k] ?? null;
      const right = come[k] ?? null;
      rows.push({ left, right, kind: left === null ? "added" : right === null ? "removed" : "changed" });
    }
    gone = [];
    come = [];
  };
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      flush();
      rows.push({ left: a[i]!, right: b[j]!, kind: "same" });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && table[i + 1]![j]! >= table[i]![j + 1]!)) {
      gone.push(a[i++]!);
    } else {
      come.push(b[j++]!);
    }
  }
  flush();
  return rows;
}

/** Groups rows so that unchanged ones farther than `near` lines from any change can be folded away. */
export function foldSame(rows: DiffRow[], near = 2): { folded: boolean; rows: DiffRow[] }[] {
  const shown = rows.map((_, i) => rows.slice(Math.max(0, i - near), i + near + 1).some((r) => r.kind !== "same"));
  const parts: { folded: boolean; rows: DiffRow[] }[] = [];
  rows.forEach((row, i) => {
    const folded = !shown[i];
    const last = parts.at(-1);
    if (last && last.folded === folded) last.rows.push(row);
    else parts.push({ folded, rows: [row] });
  });
  // Folding one or two lines saves no space.
  return parts.map((p) => (p.folded && p.rows.length < 3 ? { ...p, folded: false } : p));
}

function lcs(a: string[], b: string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i]![j] = a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return table;
}
