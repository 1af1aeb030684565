// In the desktop shell, commands go over Tauri; in a browser, over HTTP to the development host.

import { boot } from "./shell/boot";

const desktop = "__TAURI_INTERNALS__" in window;
const given = desktop ? (await import("./host/tauri")).tauriHost() : (await import("./host/http")).httpHost();
await boot(given);
