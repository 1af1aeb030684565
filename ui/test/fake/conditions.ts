// The conditions of a query as the made-up host knows them: those of one WHERE, in the order of the text.

import type { QueryCondition, QueryConditions, SavedParameter } from "../../src/host/bindings";

const WHERE = /\bWHERE\s+([\s\S]*?)(?=\s+(?:GROUP|ORDER|LIMIT|HAVING)\b|$)/i;
const BOUND = /^(?:\w+\.)?(\w+) (>=|<) '([^']*)'$/;
const EQUAL = /^(?:\w+\.)?(\w+) (=|<>) (?:'([^']*)'|(\d+))$/;

const words = (column: string) => column.replaceAll("_", " ");

const LIMIT = /\bLIMIT\s+(\d+)\s*$/i;

export function fakeConditions(sql: string): QueryConditions {
  const limit = LIMIT.exec(sql)?.[1];
  return {
    conditions: conditionsOf(sql),
    limit: limit === undefined ? null : { name: "limit", kind: "number", value: limit, open: false },
  };
}

function conditionsOf(sql: string): QueryCondition[] {
  const where = WHERE.exec(sql)?.[1];
  if (!where) return [];
  const operands = where.trim().split(/\s+AND\s+/i);
  const without = (members: string[]) => {
    const kept = operands.filter((operand) => !members.includes(operand));
    return sql.replace(WHERE, kept.length > 0 ? `WHERE ${kept.join(" AND ")}` : "").trimEnd();
  };
  const bounds = operands.filter((operand) => BOUND.test(operand));
  const found: QueryCondition[] = [];
  if (bounds.length === 2) {
    const [low, high] = bounds.map((bound) => BOUND.exec(bound) ?? []);
    const [column, from, to] = [low?.[1] ?? "", low?.[3] ?? "", high?.[3] ?? ""];
    const parameter = (side: string, value: string): SavedParameter => ({
      name: `${column}_${side}`,
      kind: "date",
      value,
      open: false,
      bound: side === "from" ? "from" : "before",
    });
    found.push({
      text: `${words(column)} is from ${from} on and before ${to}`,
      variants: [],
      parameters: [parameter("from", from), parameter("to", to)],
      without: without(bounds),
    });
  }
  for (const operand of operands) {
    const [, column, sign, text, number] = EQUAL.exec(operand) ?? [];
    if (column === undefined) continue;
    const value = text ?? number ?? "";
    found.push({
      text: `${words(column)} is ${sign === "=" ? "" : "not "}${text === undefined ? value : `“${text}”`}`,
      variants: [],
      parameters: [{ name: column, kind: text === undefined ? "number" : "text", value, open: false }],
      without: without([operand]),
    });
  }
  return found;
}
