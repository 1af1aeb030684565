// The desktop shell: Tauri commands, one event, preferences in a store file.

import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { load, type Store } from "@tauri-apps/plugin-store";
import { type AppEvent, type Call, createCommands } from "./bindings";
import { copyText } from "./clipboard";
import { AppFailure, type Host, toAppError } from "./host";

const EVENT = "app-event";

export function tauriHost(): Host {
  let store: Promise<Store> | null = null;
  const preferences = () => {
    store ??= load("preferences.json", { autoSave: true, defaults: {} });
    return store;
  };

  const call: Call = async (command, args) => {
    try {
      return await invoke(command, args);
    } catch (thrown) {
      throw new AppFailure(toAppError(thrown));
    }
  };
  return {
    ...createCommands(call),
    // Of the shell alone: the development host has no windows of its own.
    openWindow: (page) => call("open_window", { page }),
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
    async preference(key) {
      return (await (await preferences()).get<string>(key)) ?? null;
    },
    async setPreference(key, value) {
      await (await preferences()).set(key, value);
    },
    copyText,
  };
}
