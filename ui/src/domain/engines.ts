// The engines of databases as the program describes them, read once at the start.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import type { EngineEntry, WarehouseKind } from "../host/bindings";
import { host } from "../host/host";

export const useEngines = create<{ list: EngineEntry[] }>(() => ({ list: [] }));

export async function loadEngines() {
  useEngines.setState({ list: await host().engines() });
}

/** The description of an engine; null before the engines are loaded. */
export function engineNamed(kind: WarehouseKind): EngineEntry | null {
  return useEngines.getState().list.find((engine) => engine.kind === kind) ?? null;
}

/** The name of an engine beside a connection; its id before the engines are loaded. */
export function engineName(kind: WarehouseKind): string {
  const { title, preview } = engineNamed(kind) ?? { title: kind, preview: false };
  return preview ? t`${title} (preview)` : title;
}

/** The engine that an address names by its scheme; null for a path without one. */
export function engineAt(address: string): EngineEntry | null {
  const [, scheme = "", slashes] = /^\s*([a-z]+):(\/\/)?/i.exec(address) ?? [];
  const engine = useEngines.getState().list.find(({ schemes }) => schemes.includes(scheme.toLowerCase())) ?? null;
  const isUrl = engine?.place === "server" || engine?.place === "project";
  return isUrl && !slashes ? null : engine;
}
