// The methods of answering as the program describes them, read once at the start. No method is named in the window's code:
// a new one appears in every list of methods.

import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { create } from "zustand";
import type { MethodInfo, MethodName, MethodSettings, ParameterInfo, ParameterValue } from "../host/bindings";
import { host } from "../host/host";
import type { Choice } from "../kit/select";

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

/** A method's name at a question: one of the few for everyday questions, else the method's own. */
export function everydayLabel(name: MethodName): string {
  const method = methodNamed(name);
  return method?.everyday ? everydayWord(method.everyday) : (method?.label ?? name);
}

/** Names of everyday methods are words; names of published ones are not translated. */
function everydayWord(word: string): string {
  switch (word) {
    case "Fast":
      return t`Fast`;
    case "Thorough":
      return t`Thorough`;
    default:
      return word;
  }
}

/** A method's own name: a published one has the name of its paper. */
export function methodLabel(name: MethodName): string {
  return methodNamed(name)?.label ?? name;
}

/** All methods, in the order and the groups in which they are offered. */
export function useMethodChoices(): Choice<MethodName>[] {
  const list = useMethods((s) => s.list);
  return list.map(({ name, label, note, group }) => ({ value: name, label, note, group }));
}

/** The methods of everyday questions, the quicker ones first; all others under "Advanced". */
export function useEverydayChoices(): Choice<MethodName>[] {
  const list = useMethods((s) => s.list);
  return useMemo(() => everydayChoices(list), [list]);
}

export function everydayChoices(list: MethodInfo[]): Choice<MethodName>[] {
  const [first, ...rest] = list.filter(({ everyday }) => everyday !== null);
  const byCost = rest.toSorted((a, b) => a.calls.least - b.calls.least);
  const everyday = (first ? [first, ...byCost] : []).map(({ name, label, everyday, note }) => ({
    value: name,
    label: everyday ? everydayWord(everyday) : label,
    note: everyday === label ? note : t`${note} Known as ${label}.`,
  }));
  const others = list.filter(({ everyday }) => everyday === null);
  return [...everyday, ...others.map(({ name, label, note }) => ({ value: name, label, note, group: t`Advanced` }))];
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
