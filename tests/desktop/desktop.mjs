// The program's window on a bare desktop, and the system's dialogs over it.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { openWindow } from "./webdriver.mjs";

export const keys = (...args) => spawnSync("xdotool", args, { encoding: "utf8" }).stdout.trim();
/** Windows on the display, by their titles. */
export const titled = (title) => keys("search", "--onlyvisible", "--name", title).split("\n").filter(Boolean);
export const tab = (name) => `//*[@role="tab"][contains(., "${name}")]`;

/** Opens the program over a home; `close` ends the desktop, too. */
export async function openDesktop(home) {
  // Without a window manager no window has the keyboard, and the save dialog could not be typed into.
  const desktop = spawn("openbox", [], { stdio: "ignore" });
  try {
    const window = await openWindow(join(process.env.VITRINE_BIN_DIR, "vitrine-desktop"), {
      ...process.env,
      VITRINE_HOME: home,
      XDG_DATA_HOME: join(home, "data"),
      TAURI_WEBVIEW_AUTOMATION: "true",
      WEBKIT_DISABLE_DMABUF_RENDERER: "1",
    });
    return { ...window, close: () => window.close().finally(() => desktop.kill("SIGTERM")) };
  } catch (error) {
    desktop.kill("SIGTERM");
    throw error;
  }
}

/** Types a path into the save dialog, which is no page of ours, as a person at the keyboard would. */
export async function saveAs(window, path, opened = () => {}) {
  const found = () => titled("^(Export|Save)");
  for (let i = 0; i < 60 && found().length === 0; i += 1) await window.pause(250);
  const [dialog] = found();
  assert.ok(dialog, "the save dialog opens");
  keys("windowactivate", "--sync", dialog);
  await window.pause(500);
  opened();
  keys("key", "ctrl+a");
  keys("type", "--delay", "20", path);
  await window.pause(500);
  keys("key", "Return");
}
