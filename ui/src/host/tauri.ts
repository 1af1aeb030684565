// The desktop shell: Tauri commands, one event, the system's own dialogs, preferences in a store file.

import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { open, save } from "@tauri-apps/plugin-dialog";
import { load, type Store } from "@tauri-apps/plugin-store";
import type { AppEvent } from "./bindings";
import { copyText } from "./clipboard";
import { commandsOver } from "./commands";
import { AppFailure, type Host, type OpenKind, toAppError } from "./host";

const EVENT = "app-event";

const FILTERS: Record<OpenKind, { name: string; extensions: string[] }[]> = {
  sqlite: [{ name: "SQLite database", extensions: ["sqlite", "sqlite3", "db", "db3"] }],
  duckdb: [{ name: "DuckDB database", extensions: ["duckdb", "db", "ddb"] }],
  file: [{ name: "Data file", extensions: ["csv", "tsv", "parquet", "json", "jsonl", "ndjson", "xlsx", "gz"] }],
  folder: [],
  gguf: [{ name: "GGUF model", extensions: ["gguf"] }],
};

export function tauriHost(): Host {
  let store: Promise<Store> | null = null;
  const preferences = () => {
    store ??= load("preferences.json", { autoSave: true, defaults: {} });
    return store;
  };

  return {
    ...commandsOver(async (command, args) => {
      try {
        return await invoke(command, args);
      } catch (thrown) {
        throw new AppFailure(toAppError(thrown));
      }
    }),
    subscribe(onEvent, onReconnect) {
      let stopped = false;
      let unlisten = () => {};
      listen<AppEvent>(EVENT, (message) => onEvent(message.payload)).then((stop) => {
        if (stopped) stop();
        else {
          unlisten = stop;
          onReconnect();
        }
      });
      return () => {
        stopped = true;
        unlisten();
      };
    },
    async pickOpenPath(kind) {
      const all = { name: "All files", extensions: ["*"] };
      return open({ multiple: false, directory: kind === "folder", filters: [...FILTERS[kind], all] });
    },
    async pickSavePath(name) {
      return save({ defaultPath: name });
    },
    async preference(key) {
      return (await (await preferences()).get<string>(key)) ?? null;
    },
    async setPreference(key, value) {
      await (await preferences()).set(key, value);
    },
    copyText,
  };
}
