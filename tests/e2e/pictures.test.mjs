// Pictures of every page and its main states, compared with those in `pictures/`: what moved, is missing or has another colour shows.
// `VITRINE_ACCEPT_PICTURES=1 node --test tests/e2e/pictures.test.mjs` keeps those of now instead; look at them before they are committed.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { encode, shrunk } from "./picture.mjs";
import { STATES } from "./states.mjs";
import { STILL, showState, startWindow } from "./window.mjs";

const KEPT = join(import.meta.dirname, "pictures");
/** Where the pictures of now go that differ, each beside what differs. */
const DIFFERENT = process.env.VITRINE_PICTURES || join(tmpdir(), "vitrine-pictures");
const accepts = process.env.VITRINE_ACCEPT_PICTURES === "1";
/** How unlike two colours are that differ (of 1). */
const UNLIKE = 0.15;
/** Pixels that may differ. */
const SOME = 24;
/** Made-up runs are so and so old at this time. */
const NOW = new Date("2026-11-21T12:00:00Z");
/** Names of fonts that other machines may have come before the one that all have. */
const FONTS = ["SF Mono", "Cascadia Code", "JetBrains Mono"]
  .map((name) => `@font-face { font-family: "${name}"; src: local("DejaVu Sans Mono") }`)
  .join("\n");

const main = STATES.filter((state) => state.main);
const SETS = [
  { name: "each page and state", states: STATES, themes: ["light", "dark"] },
  { name: "the main pages in German in the smallest window", states: main, themes: ["german"], width: 960, height: 640, query: "lang=de" },
  { name: "the main pages at twice the size", states: main, themes: ["zoomed"], zoom: 2 },
];

const slug = (name) => name.replace(/[^a-z0-9]+/gi, "-").toLowerCase();

let window;
before(async () => {
  window = await startWindow();
});
after(() => window?.stop());

/** What stands for something that is still being loaded. */
const LOADING = ".shimmer, .spin.text-fg-3";

/** A picture of the page once all is there and it stays the same. */
async function steady(page) {
  await page.waitForFunction((loading) => document.querySelector(loading) === null, LOADING);
  const shot = () => page.screenshot({ animations: "disabled", caret: "hide" });
  for (let last = await shot(), tries = 0; tries < 20; tries += 1) {
    await page.waitForTimeout(120);
    const next = await shot();
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error("the page does not come to rest");
}

/** Compares with the picture that is kept, or keeps this one; gives what is wrong. */
function compare(name, png) {
  const now = shrunk(png);
  const path = join(KEPT, `${name}.png`);
  if (accepts) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, encode(now));
    return null;
  }
  if (!existsSync(path)) return `${name}: no picture is kept`;
  const kept = PNG.sync.read(readFileSync(path));
  const shown = new PNG({ width: now.width, height: now.height });
  const sized = kept.width === now.width && kept.height === now.height;
  const differing = sized ? pixelmatch(kept.data, now.data, shown.data, now.width, now.height, { threshold: UNLIKE }) : Infinity;
  if (differing <= SOME) return null;
  const at = join(DIFFERENT, name);
  mkdirSync(join(at, ".."), { recursive: true });
  writeFileSync(`${at}.now.png`, png);
  if (sized) writeFileSync(`${at}.differs.png`, PNG.sync.write(shown));
  return `${name}: ${differing} pixels differ`;
}

for (const { name, states, themes, query, ...size } of SETS) {
  test(`${name}: as in the pictures that are kept`, { timeout: 600_000 }, async () => {
    const wrong = [];
    for (const state of states) {
      const page = await window.open(state.at, { ...size, at: NOW, query: ["speed=0", state.query, query].filter(Boolean).join("&") });
      await page.addStyleTag({ content: `${STILL}\n${FONTS}` });
      try {
        await showState(page, state);
        await page.evaluate(() => document.fonts.ready);
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme === "dark" ? "dark" : "light" });
          wrong.push(compare(`${theme}/${slug(state.name)}`, await steady(page)));
        }
      } catch (error) {
        wrong.push(`${state.name}: ${error.message}`);
      }
      await page.context().close();
    }
    const told = wrong.filter(Boolean);
    assert.equal(told.length, 0, `${told.join("\n")}\nwhat differs lies in ${DIFFERENT}; this test says how to accept it`);
  });
}

test("no picture is kept of a state that is gone", () => {
  const known = SETS.flatMap(({ states, themes }) => themes.flatMap((theme) => states.map((state) => `${theme}/${slug(state.name)}.png`)));
  for (const theme of readdirSync(KEPT)) {
    for (const file of readdirSync(join(KEPT, theme))) {
      const name = `${theme}/${file}`;
      if (known.includes(name)) continue;
      assert.ok(accepts, `${name} shows no state`);
      rmSync(join(KEPT, name));
    }
  }
});
