// Starts of the real window, beside starts of an empty page by the same driver, and what the parts of the program
// weigh. `npm run bench -- window` calls it below Xvfb with the number of starts and the file that takes the result.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { binDir, cache, duckdbDir, root, targetDir } from "../../setup/env.mjs";
import { openWindow } from "../desktop/webdriver.mjs";

const [rounds, result] = [Number(process.argv[2]), process.argv[3]];
const program = join(binDir, "vitrine-desktop");
const scratch = mkdtempSync(join(tmpdir(), "vitrine-bench-window-"));
const env = {
  ...process.env,
  VITRINE_HOME: join(scratch, "home"),
  XDG_DATA_HOME: join(scratch, "data"),
  TAURI_WEBVIEW_AUTOMATION: "true",
  WEBKIT_DISABLE_DMABUF_RENDERER: "1",
};

/** Seconds from the start of a window's process until an element is there, and takes a click when it is meant to. */
async function start(binary, css, click) {
  const window = await openWindow(binary, env);
  try {
    const element = await window.waitFor(css, 60_000, 5);
    if (click) await window.click(element);
    return (performance.now() - window.began) / 1000;
  } finally {
    await window.close();
    // The next start does not share the processors with this one's end.
    await window.pause(1000);
  }
}

const ownStart = () => start(program, 'textarea[aria-label="Question"]:enabled', true);

/** How often each thing is done in the window. */
const TIMES = rounds > 1 ? 15 : 2;

/**
 * Seconds from a click or a key that is sent to the window until the driver finds what it leads to. The same with a click that leads to
 * nothing is what the driver needs by itself: scripts, which could say when a frame is painted, are refused by the window.
 */
async function answers() {
  const window = await openWindow(program, env);
  try {
    const box = await window.waitFor('textarea[aria-label="Question"]:enabled', 60_000, 5);
    await window.pause(2000);
    const timed = async (act, css, undo) => {
      const took = [];
      for (let time = 0; time < TIMES; time += 1) {
        const began = performance.now();
        await act();
        await window.waitFor(css, 20_000, 5);
        took.push((performance.now() - began) / 1000);
        await undo?.();
        await window.pause(200);
      }
      return took;
    };
    const go = (name) => async () => window.click(await window.find(`//nav//button[contains(., "${name}")]`));
    const nothing = await window.find("#page h1");
    const empty = await timed(() => window.click(nothing), "#page h1");
    const letter = await timed(() => window.type(box, "x"), 'textarea[aria-label="Question"]');
    const page = await timed(go("Saved"), '//*[@id="page"]//h1[contains(., "Saved")]', async () => {
      await window.click(await window.find('//button[contains(., "New question")]'));
      await window.waitFor('textarea[aria-label="Question"]', 20_000, 5);
    });
    const palette = await timed(
      async () => window.click(await window.find('//button[contains(., "Search") and not(ancestor::*[@id="page"])]')),
      '[role="dialog"] [role="option"]',
      async () => {
        await window.type(await window.find('[role="dialog"] input'), "\uE00C");
        await window.pause(300);
      },
    );
    return { empty, letter, page, palette };
  } finally {
    await window.close();
  }
}

/** Every file below a folder; a link is not a file of its own. */
function files(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return lstatSync(path).isFile() ? [path] : [];
  });
}

const size = (path) => statSync(path).size;
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

function stripped(path) {
  const target = join(scratch, "stripped");
  return spawnSync("strip", ["-o", target, path]).status === 0 ? size(target) : null;
}

function weights() {
  const pages = files(join(root, "ui", "dist"));
  const released = join(targetDir, "release", "vitrine-desktop");
  const beside = readdirSync(binDir).map((name) => join(binDir, name)).filter((path) => lstatSync(path).isFile());
  const llama = beside.filter((path) => /\/lib(ggml|llama)[^/]*\.(so|dylib)/.test(path));
  return {
    program: size(program),
    stripped: stripped(program),
    release: existsSync(released) ? size(released) : null,
    pages: pages.length,
    pages_bytes: sum(pages.map(size)),
    pages_gzip: sum(pages.map((path) => gzipSync(readFileSync(path), { level: 9 }).length)),
    duckdb: sum(files(duckdbDir()).map(size)),
    llama: llama.length,
    llama_bytes: sum(llama.map(size)),
    models: files(join(cache, "models")).filter((path) => size(path) > 1e6).map((path) => [basename(dirname(path)), size(path)]),
  };
}

try {
  const first = await ownStart();
  const own = [];
  const empty = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await ownStart());
    // Without a binary the driver starts WebKit's own MiniBrowser, which not every system has.
    const nothing = await start(undefined, "body", false).catch(() => null);
    if (nothing !== null) empty.push(nothing);
  }
  writeFileSync(result, JSON.stringify({ first, own, empty, answers: await answers(), ...weights() }));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
