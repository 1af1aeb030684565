// Pictures of every page and its main states, compared with those in `pictures/`: what moved, is missing or has another colour shows.
// A machine that draws letters otherwise is found by a sample of text: there they are compared roughly, by what stands where, and it is said.
// `VITRINE_ACCEPT_PICTURES=1 node --test tests/e2e/pictures.test.mjs` keeps those of now instead; look at them before they are committed.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { encode, halved, shrunk } from "./picture.mjs";
import { STATES } from "./states.mjs";
import { STILL, showState, startWindow } from "./window.mjs";

const KEPT = join(import.meta.dirname, "pictures");
/** Where the pictures of now go that differ, each beside what differs. */
const DIFFERENT = process.env.VITRINE_PICTURES || join(tmpdir(), "vitrine-pictures");
const accepts = process.env.VITRINE_ACCEPT_PICTURES === "1";
/** How unlike two colours are that differ (of 1). */
const UNLIKE = 0.15;
/** Pixels that may differ. */
const SOME = 40;
/** Where letters are drawn otherwise: how often the pictures are halved before, and the share of pixels that may differ then. */
const ROUGH = { halves: 3, unlike: 0.08, share: 0.06 };
/** Text in the sizes and weights of the window, in its own font and in that of code. */
const SAMPLE = ["400 11px", "400 13px", "600 13px", "600 18px"]
  .flatMap((font) => ["Vitrine Inter", "DejaVu Sans Mono"].map((name) => `<p style='font:${font} "${name}"'>Hamburgefonstiv 0123456789 “Ägäis”</p>`))
  .join("");
/** The sample as it is drawn where the pictures are kept. */
const DRAWN = join(import.meta.dirname, "sample.png");
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
/** Whether this computer draws letters otherwise than the one whose pictures are kept. */
let isRough = false;
before(async () => {
  window = await startWindow();
  const page = await window.open("", { width: 480, height: 320, query: "speed=0" });
  await page.evaluate((sample) => {
    document.body.innerHTML = `<div style="background:#fff;color:#000;padding:8px">${sample}</div>`;
  }, SAMPLE);
  await page.evaluate(() => document.fonts.ready);
  const drawn = shrunk(await steady(page));
  await page.context().close();
  if (accepts) writeFileSync(DRAWN, encode(drawn));
  isRough = !(differing(PNG.sync.read(readFileSync(DRAWN)), drawn, UNLIKE) <= SOME);
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

/** Pixels in which two pictures differ; without an end where they have other sizes. */
function differing(kept, now, unlike, shown) {
  if (kept.width !== now.width || kept.height !== now.height) return Infinity;
  return pixelmatch(kept.data, now.data, shown?.data, now.width, now.height, { threshold: unlike });
}

/** Whether two pictures are alike, as closely as this computer can tell, and in how many pixels they differ. */
function alike(kept, now, shown) {
  const count = differing(kept, now, UNLIKE, shown);
  if (!isRough || count <= SOME) return { count, is: count <= SOME };
  const small = (picture) => Array.from({ length: ROUGH.halves }).reduce(halved, picture);
  const [one, other] = [small(kept), small(now)];
  return { count, is: differing(one, other, ROUGH.unlike) <= ROUGH.share * one.width * one.height };
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
  const { count, is } = alike(kept, now, shown);
  if (is) return null;
  const at = join(DIFFERENT, name);
  mkdirSync(join(at, ".."), { recursive: true });
  writeFileSync(`${at}.now.png`, png);
  if (count !== Infinity) writeFileSync(`${at}.differs.png`, PNG.sync.write(shown));
  return `${name}: ${count === Infinity ? "another size" : `${count} pixels differ`}`;
}

/** The same once what comes late on a busy machine is there: what is wrong stays so. */
async function settled(page, name) {
  for (let tries = 0; ; tries += 1) {
    const wrong = compare(name, await steady(page));
    if (wrong === null || tries === 2) return wrong;
    await page.waitForTimeout(1_000);
  }
}

for (const { name, states, themes, query, ...size } of SETS) {
  test(`${name}: as in the pictures that are kept`, { timeout: 900_000 }, async (t) => {
    if (isRough) t.diagnostic("letters are drawn otherwise here: pictures are compared roughly");
    const wrong = [];
    for (const state of states) {
      const page = await window.open(state.at, { ...size, at: NOW, query: ["speed=0", state.query, query].filter(Boolean).join("&") });
      await page.addStyleTag({ content: `${STILL}\n${FONTS}` });
      try {
        await showState(page, state);
        await page.evaluate(() => document.fonts.ready);
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme === "dark" ? "dark" : "light" });
          wrong.push(await settled(page, `${theme}/${slug(state.name)}`));
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
