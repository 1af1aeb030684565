// Both faces of the graph over made-up runs, as the browser draws them: no text is less than 10 px high, and what is looked for
// in the data flow is found.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startWindow } from "./window.mjs";

const SIZES = [5, 13, 24, 33, 40];
let window;
before(async () => {
  window = await startWindow();
});
after(() => window?.stop());

/** The heights on screen of the graph's texts that are shown. */
function textHeights() {
  const scale = new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform).a;
  return [...document.querySelectorAll(".react-flow__node *")]
    .filter((e) => e.getClientRects().length > 0 && [...e.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim()))
    .map((e) => Number.parseFloat(getComputedStyle(e).fontSize) * scale);
}

for (const width of [960, 1280]) {
  test(`text of a graph is at least 10 px high at ${width}`, async () => {
    for (const nodes of SIZES) {
      const page = await window.open(`run/nodes-${nodes}/graph/work/picture`, { width, height: 640, query: `speed=0&sized=${SIZES}` });
      await page.locator("[data-node]").first().waitFor();
      await page.waitForTimeout(500);
      const heights = await page.evaluate(textHeights);
      assert.ok(heights.length > 0, `${nodes} nodes show text`);
      assert.ok(Math.min(...heights) >= 10, `${nodes} nodes: ${Math.min(...heights)} px`);
      await page.context().close();
    }
  });
}

/** The data flow of a run. */
async function dataFlow(run) {
  const page = await window.open(`run/${run}/graph/data/picture`, { width: 1100, height: 640 });
  await page.locator('[data-node="result"]').waitFor();
  await page.waitForTimeout(500);
  return page;
}

const scaleOf = (page) => page.evaluate(() => new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform).a);

async function readable(page, what) {
  const heights = await page.evaluate(textHeights);
  assert.ok(heights.length > 0, `${what} shows text`);
  assert.ok(Math.min(...heights) >= 10, `${what}: ${Math.min(...heights)} px`);
}

for (const run of ["r1", "steps-15", "steps-40"]) {
  test(`the data flow of ${run} is a map where all of it is in view, and its text at least 10 px high at every scale`, async () => {
    const page = await dataFlow(run);
    const first = await scaleOf(page);
    await readable(page, `${run} at first`);
    await page.getByRole("button", { name: "Fit to view" }).click();
    await page.waitForTimeout(400);
    await readable(page, `${run} as a map`);
    const levels = new Set();
    for (let step = 0; step < 8; step++) {
      await page.getByRole("button", { name: "Zoom out" }).click();
      await page.waitForTimeout(200);
      levels.add(await page.locator(".data-flow").getAttribute("data-level"));
      await readable(page, `${run} zoomed out ${step + 1} times from ${first}`);
    }
    assert.ok(levels.has("name"), "cards tell only what they are, far out");
    await page.context().close();
  });
}

for (const [run, whole] of [["r1", true], ["steps-15", false], ["steps-40", false]]) {
  test(`the data flow of ${run} opens with its first cards whole${whole ? ", and the result" : ""}`, async () => {
    const page = await window.open(`run/${run}/graph/data/picture`, { width: 1280, height: 800 });
    await page.locator("[data-node]").first().waitFor();
    await page.waitForTimeout(500);
    await readable(page, `${run} at first`);
    const frame = await page.locator(".data-flow").boundingBox();
    const cards = await page.locator("[data-node]").evaluateAll((all) => all.map((e) => ({ id: e.dataset.node, ...e.getBoundingClientRect().toJSON() })));
    const cut = cards.filter((card) => card.left < frame.x || card.top < frame.y);
    assert.deepEqual(cut.map(({ id }) => id), [], "no card is cut off at the left or above");
    const map = whole ? null : await page.locator(".data-flow .react-flow__panel svg.touch-none").boundingBox({ timeout: 2_000 });
    const first = cards.reduce((a, b) => (b.left + b.top < a.left + a.top ? b : a));
    assert.ok(!map || first.right <= map.x || first.bottom <= map.y, "the map lies not on the first card");
    if (whole) assert.ok(cards.find(({ id }) => id === "result").bottom <= frame.y + frame.height, "the result is whole, too");
    await page.context().close();
  });
}

test("a step of a long data flow is looked for, shown, and gets the focus", async () => {
  const page = await dataFlow("steps-40");
  await page.locator('[data-node="result"]').focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("sort");
  const told = page.getByRole("status").filter({ hasText: / of / });
  await told.first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForTimeout(400);
  await page.keyboard.press("Escape");
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("data-node"));
  assert.match(focused ?? "", /^(step|table):/);
  await page.context().close();
});

test("of a large graph the cards in view are drawn, and the keyboard and the search reach the others", async () => {
  const page = await window.open("run/nodes-400/graph/work/picture", { query: "speed=0&sized=400" });
  await page.locator("[data-node]").first().waitFor();
  await page.getByRole("button", { name: "Show views" }).click();
  const shown = () => page.locator("[data-node]").count();
  for (let i = 0; i < 50 && (await shown()) < 20; i++) await page.waitForTimeout(100);
  assert.ok((await shown()) < 200, `${await shown()} of 400 are drawn`);
  assert.ok((await page.locator(".react-flow__edge").count()) > 0, "lines are drawn");

  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-node"));
  await page.getByRole("button", { name: "Find in the graph" }).click();
  await page.keyboard.type("part_1_view_1");
  await page.getByText(/^1 of /).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  const isAt = (id) => page.waitForFunction((card) => document.activeElement?.getAttribute("data-node")?.includes(card), id);
  await isAt("part_1");
  // Down through the lanes, faster than the view follows.
  const first = await focused();
  for (let press = 0; press < 30; press++) await page.keyboard.press("ArrowDown");
  await page.waitForFunction((from) => (document.activeElement?.getAttribute("data-node") ?? from) !== from, first);
  await page.waitForTimeout(400);
  const last = await focused();
  assert.ok(last, "a card has the focus");
  const box = await page.locator(`[data-node="${last}"]`).boundingBox();
  assert.ok(box.y > 100 && box.y + box.height < 800, `${last} is in view, at ${box.y}`);

  // Turned out of view, the card is no longer drawn: the keys still go on from it.
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 6000);
  await page.locator(`[data-node="${last}"]`).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement !== document.body);
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement?.hasAttribute("data-node"));
  await page.context().close();
});
