// The real window: ask, open a view's node. Exporting is tested in the browser: the save dialog here is the system's.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openWindow } from "./webdriver.mjs";

const ANSWER_MS = 480_000;
const home = mkdtempSync(join(tmpdir(), "vitrine-window-"));
const shots = process.env.VITRINE_SCREENSHOTS;
let window;

before(async () => {
  window = await openWindow(join(process.env.VITRINE_BIN_DIR, "vitrine-desktop"), {
    ...process.env,
    VITRINE_HOME: home,
    XDG_DATA_HOME: join(home, "data"),
    TAURI_WEBVIEW_AUTOMATION: "true",
    WEBKIT_DISABLE_DMABUF_RENDERER: "1",
  });
});

after(async () => {
  await window?.close();
  rmSync(home, { recursive: true, force: true });
});

async function picture(name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await window.pause(500);
  await window.screenshot(join(shots, `${name}.png`));
}

const tab = (name) => `//*[@role="tab"][contains(., "${name}")]`;

test("a question asked in the window is answered", async () => {
  const question = await window.waitFor('textarea[aria-label="Question"]', 30_000);
  await picture("home");
  await window.type(question, "How many stores are there?\uE007");
  await window.pause(8000);
  await picture("running");
  await window.waitFor(tab("Answer"), ANSWER_MS);
  await picture("answer");
});

test("a view's node opens and shows its SQL", async () => {
  await window.click(await window.find(tab("Graph")));
  const view = await window.waitFor('[data-node^="view:"]');
  await picture("graph");
  await window.click(view);
  await window.pause(800);
  await picture("node");
  const text = await window.text(await window.find("body"));
  assert.match(text, /select/i);
});
