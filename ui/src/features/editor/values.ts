// Values for the parameters of an edited query. Those of places that it leaves open are remembered by the host, by database and
// name; those in place of its constants as long as the window is open. A value becomes SQL in the program alone.

import { useMemo } from "react";
import { create } from "zustand";
import type { FilledQuery, ParameterKind, SavedParameter, TypedValue } from "../../host/bindings";
import { host } from "../../host/host";

const KEY = "sql.values";
const MOST_KEPT = 200;
const WAIT_MS = 300;
/** True if a text may leave a place open; what it really does is known to the program. */
const COLON = /:[\p{L}_]/u;

/** The value typed for a parameter. */
export interface TypedValues {
  /** Null is what its column holds. */
  kind: ParameterKind | null;
  value: string;
}

export const useValues = create<{
  /** For places that are left open, by `placeKey`. */
  places: Record<string, TypedValues>;
  /** For constants, by the key of the text and the name. */
  constants: Record<string, Record<string, string>>;
}>(() => ({ places: {}, constants: {} }));

export function placeKey(warehouse: string, name: string): string {
  return JSON.stringify([warehouse, name]);
}

let timer: ReturnType<typeof setTimeout> | undefined;

export function setPlace(warehouse: string, name: string, typed: TypedValues) {
  const key = placeKey(warehouse, name);
  const { [key]: _, ...rest } = useValues.getState().places;
  useValues.setState({ places: Object.fromEntries([...Object.entries(rest).slice(1 - MOST_KEPT), [key, typed]]) });
  clearTimeout(timer);
  timer = setTimeout(() => void host().setPreference(KEY, JSON.stringify(useValues.getState().places)), WAIT_MS);
}

/** `null` goes back to the query's own. */
export function setConstant(draftKey: string, name: string, value: string | null) {
  useValues.setState(({ constants }) => {
    const { [name]: _, ...rest } = constants[draftKey] ?? {};
    return { constants: { ...constants, [draftKey]: value === null ? rest : { ...rest, [name]: value } } };
  });
}

/** The values typed for the parameters of a text: a new object whenever they may have changed. */
export function useTyped(draftKey: string) {
  const places = useValues((s) => s.places);
  const constants = useValues((s) => s.constants[draftKey]);
  return useMemo(() => ({ places, constants }), [places, constants]);
}

export async function startValues() {
  const remembered = readValues((await host().preference(KEY)) ?? null);
  useValues.setState(({ places }) => ({ places: { ...remembered, ...places } }));
}

/** Parses stored values; ignores other entries. */
export function readValues(remembered: string | null): Record<string, TypedValues> {
  if (!remembered) return {};
  try {
    const all: unknown = JSON.parse(remembered);
    if (typeof all !== "object" || all === null) return {};
    return Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, TypedValues] => isTyped(entry[1])),
    );
  } catch {
    return {};
  }
}

function isTyped(value: unknown): value is TypedValues {
  const typed = value as Partial<TypedValues> | null;
  if (typeof typed !== "object" || typeof typed?.value !== "string") return false;
  return typed.kind === null || ["date", "text", "number"].includes(typed.kind ?? "");
}

/** Returns whether a text may need values, or some were set in place of its constants. */
export function mayNeedValues(draftKey: string, sql: string): boolean {
  return COLON.test(sql) || Object.keys(useValues.getState().constants[draftKey] ?? {}).length > 0;
}

/** Returns the query with the values of its parameters. Throws if one is missing or does not fit. */
export async function fillValues(draftKey: string, warehouse: string, sql: string): Promise<FilledQuery> {
  const own = { sql, parameters: [] };
  if (!mayNeedValues(draftKey, sql)) return own;
  // A query that cannot be parsed reports its error when it runs.
  const found = await host()
    .queryParameters(warehouse, sql)
    .catch(() => []);
  const values = valuesOf(found, draftKey, warehouse);
  if (Object.keys(values).length === 0 && !found.some(({ open }) => open)) return own;
  return host().fillQuery(warehouse, sql, values);
}

function valuesOf(found: SavedParameter[], draftKey: string, warehouse: string): Record<string, TypedValue> {
  const { places, constants } = useValues.getState();
  const values: Record<string, TypedValue> = {};
  for (const { name, kind, value: own, open } of found) {
    const typed = places[placeKey(warehouse, name)];
    const constant = constants[draftKey]?.[name];
    if (open && typed && typed.value.trim() !== "") values[name] = { kind: typed.kind ?? kind, value: typed.value };
    else if (!open && constant !== undefined && constant.trim() !== own) values[name] = { kind, value: constant };
  }
  return values;
}
