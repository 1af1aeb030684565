// Every page and its main states as axe sees them, light and dark: nothing serious or critical, what is spoken contains what
// is shown, and each page has one heading of the first level and one main landmark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { goTo, startWindow } from "./window.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A way to show a dialog or panel on top of a page, and what has to be there before it is looked at. */
const keys = (pressed) => (page) => page.keyboard.press(pressed);

const STATES = [
  { name: "home", at: "", shows: 'section[aria-label="Sample questions"] button' },
  { name: "answer with one value", at: "run/r3", shows: 'section[aria-label="Next question"]' },
  { name: "answer with rows and a chart", at: "run/a-series", shows: "svg.marks, canvas.marks, .vega-embed, [role=grid]" },
  { name: "answer with rows", at: "run/r1", shows: "[role=grid]" },
  { name: "stopped run", at: "run/r5", shows: '#page [role="alert"], #page h1' },
  { name: "graph of the data", at: "run/r1/graph/data/picture", shows: "[data-node]" },
  { name: "graph of the run", at: "run/r1/graph/work/picture", shows: "[data-node]" },
  { name: "node of the graph", at: "run/r1/graph/work/picture", shows: "[data-node]", open: (page) => page.locator("[data-node]").first().click() },
  { name: "outline of the run", at: "run/r1/graph/work/outline", shows: "[role=tree]" },
  { name: "explanation", at: "run/r1/graph/data/outline", shows: "#page section" },
  { name: "SQL", at: "run/r1/sql", shows: ".cm-content" },
  { name: "SQL and Python", at: "run/prospy/sql", shows: ".cm-content" },
  { name: "sent", at: "run/remote/sent", shows: "#page section" },
  { name: "tables", at: "tables", shows: "#page h2, #page section" },
  ...["Sample rows", "Keys", "What a model reads"].map((tab) => ({
    name: `tables: ${tab}`,
    at: "tables",
    shows: "#page h2",
    open: async (page) => {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(600);
    },
  })),
  { name: "two runs compared", at: "compare/r1/r3", shows: "#page section" },
  { name: "connections", at: "connections", shows: "#page h1" },
  { name: "connection form", at: "connections", shows: "#page h1", open: (page) => page.getByRole("button", { name: /^PostgreSQL/ }).click() },
  { name: "saved questions", at: "saved", shows: "#page h1" },
  { name: "saved question", at: "saved/s1", shows: "[role=grid]" },
  {
    name: "saved question: SQL",
    at: "saved/s1",
    shows: "#page h1",
    open: (page) => page.locator("#page").getByText("SQL", { exact: true }).first().click().then(() => page.locator(".cm-content").first().waitFor()),
  },
  { name: "audit log", at: "audit", shows: "#page h1" },
  { name: "evaluations", at: "evaluations", shows: "#page h1" },
  ...["models", "asking", "costs", "keyboard", "appearance", "steps", "methods", "rules"].map((tab) => ({
    name: `settings: ${tab}`,
    at: `settings/${tab}`,
    shows: "#page h2",
  })),
  {
    name: "run that waits for the user",
    at: "",
    shows: "#page textarea",
    open: async (page) => {
      await page.locator("#page textarea").fill("How many active customers are there?");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Which do you mean?" }).waitFor();
      await page.getByRole("button", { name: /Needs you/ }).waitFor();
    },
  },
  { name: "question being edited", at: "run/r3", shows: '[role=tablist]', open: (page) => page.getByRole("button", { name: "Edit question", exact: true }).click() },
  {
    name: "tour",
    at: "",
    shows: "#page h1",
    open: async (page) => {
      await page.getByRole("button", { name: "Help" }).click();
      await page.getByRole("menuitem", { name: "Take the tour" }).click();
    },
    inside: "[role=dialog]",
  },
  { name: "dialog", at: "", shows: "#page h1", open: keys("Control+o"), inside: "[role=dialog]" },
  { name: "palette", at: "", shows: "#page h1", open: keys("Control+k"), inside: "[role=dialog]" },
  { name: "shortcuts", at: "", shows: "#page h1", open: (page) => page.locator("#page").focus().then(() => page.keyboard.press("?")), inside: "[role=dialog]" },
];

/** What axe finds that is serious or worse, one line each; in the dark only colours differ. */
const findings = (only) =>
  axe
    .run(document, {
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

/** A colour on its way to another is not one that anybody reads. */
const STILL = "*, ::before, ::after { transition: none !important; animation: none !important }";

let window;
before(async () => {
  window = await startWindow();
});
after(() => window?.stop());

test("no page has a serious finding, light or dark", { timeout: 90_000 }, async () => {
  const page = await window.open("");
  await page.evaluate(AXE);
  await page.addStyleTag({ content: STILL });
  const found = new Map();
  for (const { name, at, shows, open, inside } of STATES) {
    await goTo(page, at);
    await page.locator(shows).first().waitFor();
    if (open) await open(page);
    if (inside) await page.locator(inside).first().waitFor();
    else assert.equal(await page.locator("#page h1").count(), 1, `${name}: headings of the first level`);
    for (const [colorScheme, only] of [["light", null], ["dark", ["color-contrast"]]]) {
      await page.emulateMedia({ colorScheme });
      for (const finding of await page.evaluate(findings, only))
        if (!found.has(finding)) found.set(finding, `${name}, ${colorScheme}: ${finding}`);
    }
    if (inside) {
      await page.keyboard.press("Escape");
      await page.locator(inside).first().waitFor({ state: "hidden" });
    }
  }
  assert.equal([...found.values()].join("\n"), "");
});

test("with high contrast text is 7:1 on pages of each kind, light and dark, and the setting does it, too", { timeout: 90_000 }, async () => {
  const page = await window.open("settings/appearance");
  await page.evaluate(AXE);
  await page.addStyleTag({ content: STILL });
  const isMore = () => page.evaluate(() => document.documentElement.dataset.contrast === "more");
  assert.equal(await isMore(), false);
  await page.getByRole("radio", { name: "High contrast" }).click();
  assert.equal(await isMore(), true);
  // The language has such a choice, too.
  const theme = page.getByRole("radiogroup").filter({ has: page.getByRole("radio", { name: "High contrast" }) });
  await theme.getByRole("radio", { name: "System" }).click();
  assert.equal(await isMore(), false);
  await page.emulateMedia({ contrast: "more" });
  // The page hears of it a moment later.
  await page.waitForFunction(() => document.documentElement.dataset.contrast === "more");
  const found = new Set();
  for (const name of ["home", "answer with rows", "graph of the run", "SQL", "tables", "settings: keyboard"]) {
    const { at, shows } = STATES.find((state) => state.name === name);
    await goTo(page, at);
    await page.locator(shows).first().waitFor();
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const finding of await page.evaluate(findings, ["color-contrast-enhanced"])) found.add(`${name}, ${colorScheme}: ${finding}`);
    }
  }
  assert.equal([...found].join("\n"), "");
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
