// Every page and its main states as axe sees them, light, dark and with high contrast: nothing serious or critical, what is spoken
// contains what is shown, and each page has one heading of the first level and one main landmark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { STATES } from "./states.mjs";
import { STILL, goTo, showState, startWindow } from "./window.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds that is serious or worse, one line each. */
const findings = (only) =>
  axe
    // What hands the focus on at the ends of an open menu (Base UI) is hidden from who listens and never keeps the focus.
    .run({ exclude: ["[data-base-ui-focus-guard]"] }, {
      ...(only ? { runOnly: only } : {}),
      resultTypes: ["violations"],
      rules: { "label-content-name-mismatch": { enabled: true }, "landmark-no-duplicate-main": { enabled: true }, "landmark-one-main": { enabled: true } },
    })
    .then(({ violations }) =>
      violations
        .filter(
          ({ id, impact }) =>
            ["serious", "critical"].includes(impact) || ["landmark-no-duplicate-main", "landmark-one-main"].includes(id),
        )
        .flatMap(({ id, nodes }) =>
          nodes.slice(0, 4).map((node) => `${id}: ${node.html.slice(0, 160)} (${node.any[0]?.message ?? ""})`),
        ),
    );

let window;
before(async () => {
  window = await startWindow();
});
after(() => window?.stop());

/** What is found in every state, each finding once, with the first state that has it; `schemes` names the rules of each. */
async function findingsOf(schemes, prepare) {
  const looked = async (query) => {
    const page = await window.open("", { query: ["speed=0", query].filter(Boolean).join("&") });
    await page.evaluate(AXE);
    await page.addStyleTag({ content: STILL });
    await prepare?.(page);
    return page;
  };
  const usual = await looked();
  const found = new Map();
  for (const state of STATES) {
    const { name, inside, query } = state;
    const page = query ? await looked(query) : usual;
    await showState(page, state);
    if (!inside) assert.equal(await page.locator("#page h1").count(), 1, `${name}: headings of the first level`);
    for (const [colorScheme, only] of schemes) {
      await page.emulateMedia({ colorScheme });
      for (const finding of await page.evaluate(findings, only))
        if (!found.has(finding)) found.set(finding, `${name}, ${colorScheme}: ${finding}`);
    }
    if (inside) {
      await page.keyboard.press("Escape");
      await page.locator(inside).first().waitFor({ state: "hidden" });
    }
    if (query) await page.context().close();
  }
  await usual.context().close();
  return [...found.values()].join("\n");
}

test("no page has a serious finding, light or dark", { timeout: 600_000 }, async () => {
  assert.equal(await findingsOf([["light", null], ["dark", null]]), "");
});

test("with high contrast no page has a serious finding, and text is 7:1, light and dark", { timeout: 600_000 }, async () => {
  const more = async (page) => {
    await page.emulateMedia({ contrast: "more" });
    // The page hears of it a moment later.
    await page.waitForFunction(() => document.documentElement.dataset.contrast === "more");
  };
  const text = ["color-contrast-enhanced"];
  assert.equal(await findingsOf([["light", null], ["light", text], ["dark", text]], more), "");
});

test("high contrast is a setting, too", async () => {
  const page = await window.open("settings/appearance");
  const isMore = () => page.evaluate(() => document.documentElement.dataset.contrast === "more");
  assert.equal(await isMore(), false);
  await page.getByRole("radio", { name: "High contrast" }).click();
  assert.equal(await isMore(), true);
  // The language has such a choice, too.
  const theme = page.getByRole("radiogroup").filter({ has: page.getByRole("radio", { name: "High contrast" }) });
  await theme.getByRole("radio", { name: "System" }).click();
  assert.equal(await isMore(), false);
  await page.context().close();
});

test("where the system forces its colours, what is chosen and what has the focus have a border", async () => {
  const page = await window.open("run/r1/graph/work/picture");
  await page.emulateMedia({ forcedColors: "active" });
  const outline = (locator) => locator.evaluate((element) => getComputedStyle(element).outlineStyle);
  await page.locator("[data-node]").first().waitFor();
  assert.equal(await outline(page.getByRole("tab", { name: "Graph" })), "solid");
  assert.equal(await outline(page.getByRole("radio", { name: "Run", exact: true })), "solid");
  assert.equal(await outline(page.getByRole("tab", { name: "SQL" })), "none");
  const line = await page.locator(".react-flow__edge-path").first().evaluate((element) => getComputedStyle(element).stroke);
  const text = await page.locator("body").evaluate((element) => getComputedStyle(element).color);
  assert.equal(line, text);
  await goTo(page, "");
  await page.getByLabel("Question", { exact: true }).focus();
  assert.equal(await outline(page.getByLabel("Question", { exact: true })), "solid");
  await page.context().close();
});

test("the first start has no serious finding: before the download, during it, and when it is paused", { timeout: 90_000 }, async () => {
  const page = await window.open("", { query: "speed=0&missing" });
  await page.evaluate(AXE);
  await page.addStyleTag({ content: STILL });
  const offer = page.getByLabel("Models to download");
  const found = [];
  for (const pressed of [null, "Download", "Pause"]) {
    if (pressed) await offer.getByRole("button", { name: pressed }).click();
    await offer.getByRole("button", { name: { Download: "Pause", Pause: "Resume" }[pressed] ?? "Download" }).waitFor();
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const finding of await page.evaluate(findings, null)) found.push(`${pressed}, ${colorScheme}: ${finding}`);
    }
  }
  assert.equal(found.join("\n"), "");
});
