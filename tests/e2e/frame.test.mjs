// The frame of the window as the keyboard and a small or zoomed window find it, over made-up data.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { goTo, startWindow } from "./window.mjs";

let window;
before(async () => {
  window = await startWindow();
});
after(() => window?.stop());

const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at.getAttribute("aria-label") ?? at.dataset.node ?? at.textContent ?? at.tagName;
  });

test("the question box is at most five tab stops away, and all of the sidebar within reach of the arrow keys", async () => {
  const page = await window.open("");
  await page.locator("[data-run]").first().waitFor();
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const stops = [];
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press("Tab");
    stops.push(await focused(page));
    if (stops.at(-1) === "Question") break;
  }
  assert.equal(stops.at(-1), "Question", stops.join(" | "));

  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(page), "Search history");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const second = await page.locator("[data-run]").nth(1).textContent();
  assert.equal(await focused(page), second);
  await page.keyboard.press("ArrowRight");
  await page.getByRole("menuitem", { name: "Delete" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("menuitem", { name: "Delete" }).waitFor({ state: "hidden" });
  assert.equal(await focused(page), second);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(page), "Search history");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("End");
  assert.equal(await focused(page), "Hide sidebar");
  await page.context().close();
});

test("from a card of the graph the Tab key leads into its details, and Escape back", async () => {
  const page = await window.open("run/r1/graph/work/picture");
  await page.locator('[data-node="schema"]').focus();
  await page.keyboard.press("Enter");
  await page.locator('section[aria-label="Details of schema"]').waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Details of schema");
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Close");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Escape");
  await page.locator('section[aria-label="Details of schema"]').waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.node), "schema");
  await page.context().close();
});

test("the Tab key leaves the SQL editor after Escape", async () => {
  const page = await window.open("run/r1/sql");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Escape");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".cm-content")), "Escape keeps the editor");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => !document.activeElement.closest(".cm-editor, body:focus")), await focused(page));
  await page.context().close();
});

test("the heading of a run leaves most of a small window to the answer", async () => {
  const page = await window.open("run/r1", { width: 960, height: 640 });
  await page.locator("[role=grid]").first().waitFor();
  const { y, height } = await page.locator("[role=tablist]").boundingBox();
  assert.ok(y + height <= 90, `${y + height} px`);
  await page.context().close();
});

test("chart and rows stand side by side in an answer and in a saved one", async () => {
  const page = await window.open("run/r1");
  for (const at of ["run/r1", "saved/s1"]) {
    await goTo(page, at);
    await page.locator("svg.marks, canvas.marks").first().waitFor();
    const [chart, rows] = [
      await page.locator("svg.marks, canvas.marks").first().boundingBox(),
      await page.locator("[role=grid]").first().boundingBox(),
    ];
    assert.ok(rows.x > chart.x + chart.width - 1, at);
    assert.ok(rows.y < chart.y + chart.height, at);
  }
  await page.context().close();
});

test("what a run says begins where its question begins, with an answer and without one", async () => {
  const page = await window.open("run/r5", { width: 1920 });
  const parts = [["run/r5", "[role=alert]"], ["run/r1", "[data-tour=answer]"], ["run/r1", "section:has(> div > textarea) > div"], ["saved/s1", "#page h2"]];
  for (const [at, first] of parts) {
    await goTo(page, at);
    await page.locator(first).first().waitFor();
    await page.waitForTimeout(400);
    const [title, said] = [await page.locator("#page h1").first().boundingBox(), await page.locator(first).first().boundingBox()];
    assert.ok(Math.abs(title.x - said.x) <= 1, `${at}: ${title.x} and ${said.x}`);
  }
  await page.context().close();
});

test("the sidebar is as wide as the user made it", async () => {
  const page = await window.open("");
  const edge = page.getByRole("separator", { name: "Sidebar width" });
  const isWide = (width) =>
    page.waitForFunction((w) => Math.round(document.querySelector("aside").getBoundingClientRect().width) === w, width);
  await page.locator("[data-run]").first().waitFor();
  await isWide(248);
  await edge.press("ArrowRight");
  await isWide(272);
  const box = await edge.boundingBox();
  await page.mouse.move(box.x + 4, 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 64, 300, { steps: 4 });
  await page.mouse.up();
  await isWide(332);
  await page.context().close();
});

/** What sticks out of the window, or of a part that cuts it off, and cannot be scrolled to. */
function lost() {
  const scrolls = (element, axis) => /auto|scroll/.test(getComputedStyle(element)[`overflow${axis}`]);
  return [...document.querySelectorAll("button, a, input, textarea, select, [role=tab], [role=button], h1, h2")]
    .filter((element) => {
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || element.closest(".react-flow, .sr-only, [role=grid]")) return false;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      let [acrossOk, downOk] = [false, false];
      for (let at = element.parentElement; at; at = at.parentElement) {
        acrossOk ||= scrolls(at, "X");
        downOk ||= scrolls(at, "Y");
      }
      const skip = element.classList.contains("-translate-y-20");
      const out = (low, high, most) => low < -1 || high > most + 1;
      const across = !acrossOk && out(box.left, box.right, innerWidth);
      return !skip && (across || (!downOk && out(box.top, box.bottom, innerHeight)));
    })
    .map((element) => `${element.tagName} ${(element.getAttribute("aria-label") ?? element.textContent).slice(0, 40)}`);
}

const PAGES = ["", "run/r1", "run/r3", "run/r1/graph/work/picture", "run/r1/sql", "tables", "connections", "saved", "saved/s1", "audit", "evaluations", "settings/models", "settings/methods", "settings/keyboard"];

/** What is lost on each page. */
async function lostOn(page) {
  const found = [];
  for (const at of PAGES) {
    await goTo(page, at);
    await page.locator("#page h1").first().waitFor();
    await page.waitForTimeout(400);
    for (const what of await page.evaluate(lost)) found.push(`${at || "home"}: ${what}`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) found.push(`${at || "home"}: the window scrolls sideways by ${over}`);
  }
  return found;
}

test("nothing is cut off in the smallest window where words are long, nor in that window at 200%", async () => {
  const found = [];
  for (const [lang, width, height] of [["de", 960, 640], ["fr", 960, 640], ["en", 480, 320], ["de", 480, 320]]) {
    const page = await window.open("", { width, height, query: `speed=0&lang=${lang}` });
    for (const what of await lostOn(page)) found.push(`${lang} at ${width}: ${what}`);
    await page.context().close();
  }
  assert.equal(found.join("\n"), "");
});

test("at 200% nothing is cut off that cannot be reached", async () => {
  const page = await window.open("", { width: 640, height: 400 });
  const found = await lostOn(page);
  await goTo(page, "run/r1");
  await page.getByRole("button", { name: "Export in another format" }).click();
  await page.getByRole("menuitem").first().waitFor();
  const menu = await page.getByRole("menu").boundingBox();
  if (menu.x < 0 || menu.y < 0 || menu.x + menu.width > 640 || menu.y + menu.height > 400) found.push("run/r1: the export menu");
  assert.equal(found.join("\n"), "");
  await page.context().close();
});
