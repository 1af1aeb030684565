// The methods as the program describes them: `methods.json` is what the command gives, which a test of the program asserts.

import type { MethodInfo, MethodSettings } from "../../src/host/bindings";
import described from "./methods.json";

export const METHODS = described as unknown as MethodInfo[];

/** What settings hold where nothing was changed. */
export const DEFAULT_PARAMETERS: MethodSettings = Object.fromEntries(
  METHODS.filter(({ parameters }) => parameters.length > 0).map(({ name, parameters }) => [
    name,
    Object.fromEntries(parameters.map(({ key, default: value }) => [key, value])),
  ]),
);
