// The methods of answering as the program describes them, read once at the start. No method is named in the window's code:
// one that the program gains appears wherever methods are listed.

import { create } from "zustand";
import type { MethodInfo, MethodName, MethodSettings, ParameterInfo, ParameterValue } from "../host/bindings";
import { host } from "../host/host";
import type { Choice } from "./select";

interface MethodsState {
  list: MethodInfo[];
}

export const useMethods = create<MethodsState>(() => ({ list: [] }));

export async function loadMethods() {
  useMethods.setState({ list: await host().methods() });
}

/** The description of a method; null for one that this program does not know, as an imported run may name it. */
export function methodNamed(name: MethodName | null | undefined): MethodInfo | null {
  return useMethods.getState().list.find((method) => method.name === name) ?? null;
}

/** A method's name for users. */
export function methodLabel(name: MethodName): string {
  return methodNamed(name)?.label ?? name;
}

/** All methods, in the order and the groups in which they are offered. */
export function useMethodChoices(): Choice<MethodName>[] {
  const list = useMethods((s) => s.list);
  return list.map(({ name, label, note, group }) => ({ value: name, label, note, group }));
}

/** The value of a parameter: the one that is set, else the default of its method. */
export function parameterValue(
  settings: MethodSettings | undefined,
  method: MethodInfo,
  parameter: ParameterInfo,
): ParameterValue {
  const set = settings?.[method.name]?.[parameter.key];
  return set === undefined ? parameter.default : set;
}
