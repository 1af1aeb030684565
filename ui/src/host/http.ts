// The development host: the same commands over loopback HTTP, events over SSE, preferences in the browser.

import { type AppError, type AppEvent, createCommands } from "./bindings";
import { copyText } from "./clipboard";
import { AppFailure, type Host } from "./host";

export function httpHost(base = ""): Host {
  return {
    ...createCommands(async (command, args = {}) => {
      let response: Response;
      try {
        response = await fetch(`${base}/api/${command}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(args),
        });
      } catch (thrown) {
        throw new AppFailure(unreachable(thrown));
      }
      const text = await response.text();
      if (response.ok) return text === "" ? null : JSON.parse(text);
      throw new AppFailure(asError(text, response.status));
    }),
    subscribe(onEvent, onReconnect) {
      const source = new EventSource(`${base}/events`);
      source.onmessage = (message) => onEvent(JSON.parse(message.data) as AppEvent);
      // Also fires after the browser reconnected automatically: events in between were missed.
      source.onopen = onReconnect;
      return () => source.close();
    },
    // Paths to read can be typed; paths to write are chosen by the development host.
    async pickOpenPath(kind) {
      return window.prompt(kind === "folder" ? "Path of the folder" : "Path of the file")?.trim() || null;
    },
    async preference(key) {
      return localStorage.getItem(`vitrine.${key}`);
    },
    async setPreference(key, value) {
      localStorage.setItem(`vitrine.${key}`, value);
    },
    copyText,
    async openWindow(page) {
      // With the token, where the address of this page has it.
      window.open(`${location.pathname}${location.search}${page}`, "_blank");
    },
  };
}

function asError(text: string, status: number): AppError {
  try {
    return JSON.parse(text) as AppError;
  } catch {
    return {
      code: "internal",
      message: `The development host answered with status ${status}.`,
      hint: null,
      detail: text.slice(0, 2000),
    };
  }
}

function unreachable(thrown: unknown): AppError {
  return {
    code: "internal",
    message: "Vitrine's backend does not answer.",
    hint: "Start the development host, then reload this page.",
    detail: thrown instanceof Error ? thrown.message : String(thrown),
  };
}
