// Parameters of methods in the settings: changed one by one, and set back to the defaults, which are the papers'.

import { parameterValue } from "../../domain/methods";
import type { MethodInfo, MethodSettings, ParameterValue } from "../../host/bindings";

export function withValue(
  settings: MethodSettings,
  { name }: MethodInfo,
  key: string,
  value: ParameterValue,
): MethodSettings {
  return { ...settings, [name]: { ...settings[name], [key]: value } };
}

/** Returns whether every parameter of a method has its default. */
export function hasDefaults(settings: MethodSettings, method: MethodInfo): boolean {
  return method.parameters.every((parameter) => parameterValue(settings, method, parameter) === parameter.default);
}

export function resetParameters(settings: MethodSettings, { name, parameters }: MethodInfo): MethodSettings {
  return { ...settings, [name]: Object.fromEntries(parameters.map(({ key, default: value }) => [key, value])) };
}
