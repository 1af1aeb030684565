// The real window: ask, open a view's node, export through the system's own save dialog.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { keys, openDesktop, saveAs, tab, titled } from "./desktop.mjs";

const ANSWER_MS = 480_000;
const home = mkdtempSync(join(tmpdir(), "vitrine-window-"));
const shots = process.env.VITRINE_SCREENSHOTS;
let window;

before(async () => {
  window = await openDesktop(home);
});

after(async () => {
  await window?.close();
  rmSync(home, { recursive: true, force: true });
});

/**
 * A picture of the display, for people to look at (ImageMagick): the driver's own waits for the page to draw, which a page
 * at rest does not do.
 */
async function picture(name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await window.pause(500);
  spawnSync("import", ["-window", "root", join(shots, `${name}.png`)]);
}

test("the window never leaves the program", async () => {
  await window.waitFor('textarea[aria-label="Question"]', 30_000);
  let visits = 0;
  const elsewhere = createServer((_, response) => {
    visits += 1;
    response.end("<title>elsewhere</title>");
  });
  await new Promise((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  // Refused, so that the driver waits in vain.
  await window.go(`http://127.0.0.1:${elsewhere.address().port}/`).catch(() => {});
  await window.pause(500);
  elsewhere.close();
  assert.equal(visits, 0);
  await window.find('textarea[aria-label="Question"]');
});

test("a question asked in the window is answered", async () => {
  const question = await window.waitFor('textarea[aria-label="Question"]', 30_000);
  await picture("home");
  await window.click(await window.find('[aria-label="Method"]'));
  await window.click(await window.waitFor('//*[@role="option"][contains(., "AV-SQL")]'));
  await window.type(question, "How many stores are there?\uE007");
  await window.pause(8000);
  await picture("running");
  await window.waitFor(tab("Answer"), ANSWER_MS);
  await picture("answer");
});

test("the graph shows first how the data became the answer", async () => {
  await window.click(await window.find(tab("Graph")));
  const card = (of) => `[aria-label="Data flow of the answer"] [data-node]${of}`;
  await window.waitFor(card('[aria-label*="stores"]'), 30_000);
  await window.waitFor(card('[data-node="result"]'));
  await picture("data");
});

test("a view's node opens and shows its SQL", async () => {
  await window.click(await window.find('//*[@role="radio"][contains(., "Run")]'));
  const view = await window.waitFor('[data-node^="view:"]');
  await picture("graph");
  await window.click(view);
  await window.pause(800);
  await picture("node");
  const text = await window.text(await window.find("body"));
  assert.match(text, /select/i);
});

test("the answer is exported to CSV", async () => {
  await window.click(await window.find(tab("Answer")));
  await window.click(await window.waitFor('//button[contains(., "Export CSV")]'));
  const path = join(home, "answer.csv");
  await saveAs(window, path);
  for (let i = 0; i < 80 && !existsSync(path); i += 1) await window.pause(250);
  const lines = readFileSync(path, "utf8").trim().split(/\r?\n/);
  assert.equal(lines.length, 2, "a header and one row");
  assert.match(lines[1], /^"?\d+"?$/);
});

test("the answer is kept in the library, and opens there on the same number", async () => {
  const [, number] = readFileSync(join(home, "answer.csv"), "utf8").trim().split(/\r?\n/);
  await window.click(await window.find('//button[normalize-space(.)="Save"]'));
  await window.waitFor('//*[@role="dialog"]//h2[contains(., "Save question")]');
  await picture("save");
  await window.click(await window.find('//*[@role="dialog"]//button[normalize-space(.)="Save"]'));
  // The button of the answer says so now, and is not the page of that name.
  await window.waitFor('//*[@id="page"]//button[normalize-space(.)="Saved"]');
  await window.click(await window.find('//nav//button[contains(., "Saved")]'));
  // The title that it proposed is the question without its mark.
  await window.click(await window.waitFor('//*[@id="page"]//button[contains(., "How many stores are there")]'));
  await window.waitFor('//*[@id="page"]//*[contains(., "Last run")]');
  await window.waitFor(`//*[@id="page"]//*[normalize-space(text())="${number.replaceAll('"', "")}"]`);
  await picture("library");
});

/** Windows of the program, by what their titles end with. */
const windows = () => titled("Vitrine$");

test("a second window opens over the same workspace, and the program goes on when it is closed", async () => {
  const [first] = windows();
  keys("windowactivate", "--sync", first);
  keys("key", "ctrl+shift+n");
  for (let i = 0; i < 60 && windows().length < 2; i += 1) await window.pause(250);
  assert.equal(windows().length, 2);
  await window.pause(3000);
  await picture("second-window");
  keys("windowactivate", "--sync", windows().find((id) => id !== first));
  keys("key", "alt+F4");
  // The list is empty for moments while the focus moves, so one look that finds the first window alone is enough.
  let listed = windows();
  for (let i = 0; i < 60 && listed.join() !== first; i += 1) {
    await window.pause(250);
    listed = windows();
  }
  assert.deepEqual(listed, [first]);
  assert.ok(window.processes().length >= 1, "the program runs");
});

test("a page whose process ends is loaded again", async () => {
  const of = (id) => readFileSync(`/proc/${id}/environ`, "utf8").includes(home) && readFileSync(`/proc/${id}/comm`, "utf8");
  const pages = () =>
    readdirSync("/proc").filter((id) => {
      try {
        return /^\d+$/.test(id) && of(id).startsWith("WebKitWebProces");
      } catch {
        return false;
      }
    });
  const before = pages();
  assert.equal(before.length, 1);
  process.kill(Number(before[0]), "SIGKILL");
  // The driver lets go of a page whose process ended; the keyboard and the window's title do not need it.
  const title = () => keys("getwindowname", windows()[0]);
  const there = title();
  for (let i = 0; i < 60 && (pages().length === 0 || pages()[0] === before[0]); i += 1) await window.pause(250);
  for (let i = 0; i < 60 && !title().includes("Settings"); i += 1) {
    await window.pause(500);
    if (i === 2) await picture("page-again");
    keys("windowactivate", "--sync", windows()[0]);
    keys("key", "ctrl+comma");
  }
  assert.match(title(), /Settings/);
  assert.notEqual(there, title());
});

test("closing the last window ends the program, its model too", async () => {
  assert.ok(window.processes().length >= 2, "the program and its model worker run");
  const [own] = windows();
  keys("windowactivate", "--sync", own);
  keys("key", "alt+F4");
  for (let i = 0; i < 60 && window.processes().length > 0; i += 1) await window.pause(250);
  assert.deepEqual(window.processes(), []);
});

test("a start that fails says so in a dialog", async () => {
  const broken = join(home, "broken");
  mkdirSync(broken);
  writeFileSync(join(broken, "vitrine.db"), "These are notes, and they are long enough to be looked into as a database header.");
  const program = spawn(join(process.env.VITRINE_BIN_DIR, "vitrine-desktop"), [], {
    env: { ...process.env, VITRINE_HOME: broken },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  program.stderr.on("data", (text) => (said += text));
  const ended = new Promise((resolve) => program.on("close", resolve));
  try {
    const found = () => titled("^Vitrine cannot start$");
    for (let i = 0; i < 60 && found().length === 0; i += 1) await window.pause(250);
    const [dialog] = found();
    assert.ok(dialog, "the dialog opens");
    await picture("cannot-start");
    keys("windowactivate", "--sync", dialog);
    keys("key", "Return");
    assert.equal(await ended, 4);
    assert.match(said, /vitrine\.db is not a workspace file/);
  } finally {
    program.kill("SIGKILL");
  }
});
