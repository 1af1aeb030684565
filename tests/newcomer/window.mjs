// A newcomer's first ten minutes in the real window, with pictures for `docs/first-ten-minutes.md` and the README. Not a test: the model answers
// as it answers, and somebody looks at the pictures. Needs what the desktop tests need:
//   VITRINE_BIN_DIR=... dbus-run-session -- xvfb-run -a -s "-screen 0 1280x800x24" node tests/newcomer/window.mjs FOLDER FILE.csv [STEP,STEP]
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDesktop, saveAs, tab, titled } from "../desktop/desktop.mjs";

const [folder, file, steps] = process.argv.slice(2);
const wanted = steps?.split(",");
const ANSWER_MS = 300_000;
/** Between two frames of the animation. */
const FRAME_MS = 500;
const ENTER = "\uE007";
const CONTROL = "\uE009";

const home = mkdtempSync(join(tmpdir(), "vitrine-newcomer-"));
mkdirSync(join(folder, "frames"), { recursive: true });
const window = await openDesktop(home);

const own = () => titled("Vitrine$")[0];
const button = (name) => `//button[normalize-space(.)="${name}" or @aria-label="${name}"]`;
const click = async (path, ms = 20_000) => window.click(await window.waitFor(path, ms));

async function picture(name) {
  await window.pause(900);
  spawnSync("import", ["-window", own(), join(folder, `${name}.png`)]);
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${name}\n`);
}

/** Takes a frame every half second until it is stopped. */
function filming() {
  const id = own();
  let on = true;
  const done = (async () => {
    for (let number = 0; on; number += 1) {
      const began = Date.now();
      const path = join(folder, "frames", `${String(number).padStart(4, "0")}.png`);
      await new Promise((resolve) => spawn("import", ["-window", id, "-quality", "10", path]).on("close", resolve));
      await window.pause(Math.max(0, FRAME_MS - (Date.now() - began)));
    }
  })();
  return () => {
    on = false;
    return done;
  };
}

/** What does not come about is told, and the rest goes on. */
async function step(name, act) {
  if (wanted && !wanted.includes(name)) return;
  try {
    await act();
  } catch (error) {
    process.stderr.write(`${name}: ${error.message}\n`);
    await picture(`failed-${name}`);
  }
}

const answered = () => window.waitFor('section[aria-label="Next question"]', ANSWER_MS);
const drawn = () => window.waitFor('section[aria-label="Chart"] [role="img"] svg, section[aria-label="Chart"] [role="img"] canvas', 30_000);

/** Waits until the check in the background has ended: a picture of before would show what nobody sees for long. */
async function checked() {
  for (let i = 0; i < 240; i += 1) {
    if (!(await window.find('//section[@aria-label="Certainty"]//*[contains(@class, "spin")]').catch(() => null))) return;
    await window.pause(500);
  }
}

async function theme(name) {
  await window.click(await window.find('//a[contains(., "Settings")]|//button[contains(., "Settings")]'));
  await click('//*[@role="tab"][contains(., "Appearance")]|//button[contains(., "Appearance")]|//a[contains(., "Appearance")]');
  await click(`//*[@role="radio"][contains(., "${name}")]`);
}

try {
  await window.waitFor('textarea[aria-label="Question"]', 60_000);
  await step("tour", async () => {
    await window.waitFor(button("Next"), 60_000);
    await picture("tour-1");
    await click(button("Next"));
    await window.pause(3000);
    await picture("tour-2");
    await answered();
    await checked();
    await picture("tour-answer");
    if (await window.find(button("Next")).catch(() => null)) await click(button("Next"));
    await picture("tour-3");
    await click(button("Done"), 3000).catch(() => {});
  });
  if (wanted && !wanted.includes("tour")) await click(button("End the tour"), 5000).catch(() => {});
  await step("question", async () => {
    await click('//button[contains(., "New question")]|//a[contains(., "New question")]');
    const question = await window.waitFor('textarea[aria-label="Question"]');
    await window.pause(600);
    const stop = filming();
    for (const word of "Which 5 products brought the most revenue in 2023?".split(/(?<= )/)) await window.type(question, word);
    await picture("question");
    await window.type(question, ENTER);
    await answered();
    await drawn();
    await window.pause(4000);
    await stop();
    await checked();
    await picture("answer");
  });
  await step("why", async () => {
    await click(button("Why"), 3000).catch(() => {});
    await picture("why");
    await window.click(await window.find(tab("Graph")));
    await window.waitFor('[data-node="result"]', 30_000);
    await picture("graph");
    await window.click(await window.find(tab("SQL")));
    await picture("sql");
    await window.click(await window.find(tab("Answer")));
  });
  await step("export", async () => {
    await click('//button[contains(., "Export CSV")]');
    const dialog = () => spawnSync("import", ["-window", "root", join(folder, "export-dialog.png")]);
    await saveAs(window, join(home, "best-sellers.csv"), dialog);
    for (let i = 0; i < 40 && !existsSync(join(home, "best-sellers.csv")); i += 1) await window.pause(250);
    await window.waitFor('//*[@data-messages]//*[contains(., "Exported")]', 60_000);
    await picture("export");
    // It names a folder of this walk.
    await click(button("Dismiss"), 3000).catch(() => {});
  });
  await step("save", async () => {
    await click(button("Save"));
    await window.waitFor('[role="dialog"]');
    await picture("save");
    await click('//*[@role="dialog"]//button[normalize-space(.)="Save"]');
    await picture("saved");
    await click('//button[contains(., "Saved")]|//a[contains(., "Saved")]');
    await picture("library");
  });
  await step("dark", async () => {
    await theme("Dark");
    await picture("appearance-dark");
    await click('//*[contains(@class, "line-clamp-2")][contains(., "Which 5 products")]');
    await window.pause(2500);
    await picture("answer-dark");
    await window.click(await window.find(tab("Graph")));
    await window.waitFor('[data-node="result"]', 30_000);
    await picture("graph-dark");
    await window.click(await window.find(tab("Answer")));
    await theme("Light");
    await click('//*[contains(@class, "line-clamp-2")][contains(., "Which 5 products")]');
  });
  await step("follow-up", async () => {
    const next = await window.waitFor('textarea[aria-label="Follow-up"]');
    await window.type(next, "and for 2024?");
    await window.waitFor('//section[contains(., "Press Enter to ask:")]', 30_000);
    await picture("follow-up");
    await window.type(next, ENTER);
    await window.waitFor('//h1[contains(., "2024")]', 30_000);
    await answered();
    await checked();
    await picture("follow-up-answer");
  });
  await step("own file", async () => {
    await window.type(await window.find("body"), `${CONTROL}o`);
    const path = await window.waitFor('input[aria-label="Path"]');
    await picture("open");
    await window.type(path, `${file}${ENTER}`);
    await window.pause(5000);
    await picture("opened");
    await click('//button[contains(., "Tables")]|//a[contains(., "Tables")]');
    await window.pause(1500);
    await picture("own-tables");
    await click('//button[contains(., "New question")]|//a[contains(., "New question")]');
    await window.pause(2500);
    await picture("own-home");
    await window.type(await window.waitFor('textarea[aria-label="Question"]'), `Revenue by country${ENTER}`);
    await answered();
    await drawn();
    await checked();
    await picture("own-answer");
  });
} finally {
  await window.close();
  rmSync(home, { recursive: true, force: true });
}
