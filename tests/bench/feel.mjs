// Measures how fast the pages respond in a browser: a million rows and a catalog of 2,000 tables through the real program, and
// graphs of 2,000 cards over generated runs. `npm run bench -- window` passes the number of repetitions and the result file. An
// empty page of the same browser is measured for comparison.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, folder, startBrowser, startDevhost } from "../e2e/devhost.mjs";
import { goTo, startWindow } from "../e2e/window.mjs";
import { frames, interaction, turnWheel } from "./probe.mjs";

const [times, result, only] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
/** Duration of one movement. */
const MOVED_MS = times > 1 ? 4000 : 1000;
const ROWS = 1_000_000;
/** Rows of the result that is sorted and searched. The backend does both, for results of any size. */
const ARRANGED = 50_000;
const CARDS = 2_000;

const seen = { frames: [], interactions: [] };

async function moves(where, what, page, act) {
  const { between, tasks, busy } = await frames(page, act);
  seen.frames.push({ where, what, between, tasks, busy });
  const sorted = [...between].sort((a, b) => a - b);
  console.error(`${where}, ${what}: ${between.length} frames, median ${sorted[sorted.length >> 1]?.toFixed(1)}, at most ${sorted.at(-1)?.toFixed(0)}, long tasks ${tasks.map(Math.round)}, busy ${Math.round(100 * busy)}%`);
}

function report(where, what, all, goal) {
  const [took, cpu] = [all.map((one) => one.took), all.map((one) => one.cpu)];
  seen.interactions.push({ where, what, took, cpu, goal });
  console.error(`${where}, ${what}: ${took.map((ms) => ms.toFixed(0))}; processor ${cpu.map((ms) => ms.toFixed(0))}`);
}

/** Repeats an interaction and measures each time; `undo` restores the state before it. */
async function does(where, what, page, { event, shown, act, undo, goal = true }) {
  const all = [];
  for (let time = 0; time < times; time += 1) {
    all.push(await interaction(page, event, shown, act));
    await undo?.();
    await page.waitForTimeout(150);
  }
  if (all.includes(null)) throw new Error(`${where}, ${what}: nothing came`);
  report(where, what, all, goal);
}

/** Text of the focused search field's status line; empty while it reports nothing. */
const COUNTED = `(document.activeElement.closest("div:has(> [aria-live], > [role=status])")?.querySelector(":scope > [aria-live], :scope > [role=status]")?.textContent ?? "")`;

/** Types a letter into a field until `told`, an expression for the page's reply, changes. */
async function letter(page, l, told) {
  const before = await page.evaluate(told);
  return {
    event: "keydown",
    shown: `() => document.activeElement.value?.endsWith(${JSON.stringify(l)}) && ![${JSON.stringify(before)}, ""].includes(${told})`,
    act: press(page, l),
    undo: async () => {
      await press(page, "Backspace")();
      for (let i = 0; (await page.evaluate(told)) !== before; i += 1) {
        if (i === 100) throw new Error(`it does not say ${before} again`);
        await page.waitForTimeout(100);
      }
    },
  };
}

const press = (page, keys) => () => page.keyboard.press(keys);
const wheelAt = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
};

async function empty(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent('<div style="height:1000000px">nothing</div><button style="position:fixed;top:0">press</button>');
  await page.evaluate(() => {
    document.querySelector("button").onclick = () => (document.querySelector("button").textContent += "!");
  });
  const length = () => page.evaluate(() => document.querySelector("button").textContent.length);
  await moves("an empty page", "scrolled by the wheel", page, () => turnWheel(page, [600, 400], MOVED_MS, { down: 90 }));
  const all = [];
  for (let time = 0; time < times; time += 1) {
    const now = await length();
    all.push(await interaction(page, "click", `() => document.querySelector("button").textContent.length > ${now}`, () => page.click("button")));
  }
  report("an empty page", "a button changes its text", all, false);
  await page.close();
}

/** Saves a question about the sample and runs its query in the editor; returns the grid. */
async function openRows(host, page, title, sql, rows) {
  const { sampleUri } = await call(host, "info");
  const draft = { id: null, title, question: title, sql, code: null, warehouse: sampleUri, status: "draft", notes: "", runId: null };
  const { id } = await call(host, "save_question", { draft });
  await page.reload();
  await goTo(page, `saved/${id}`);
  await page.locator("#page").getByText("SQL", { exact: true }).first().click();
  await page.locator(".cm-content").first().waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction((count) => document.querySelector('[role="grid"]')?.getAttribute("aria-rowcount") === String(count + 1), rows);
  await page.waitForTimeout(1000);
  return page.getByRole("grid");
}

const rowsOf = (rows) =>
  `SELECT i AS order_id, DATE '2020-01-01' + CAST(i % 1500 AS INTEGER) AS ordered_on, 'Customer ' || (i * 7919 % 90001) AS customer,
  list_extract(['North', 'South', 'East', 'West'], CAST(1 + i % 4 AS INTEGER)) AS region, (i * 37 % 100000) / 100.0 AS amount,
  i % 7 AS quantity, CASE WHEN i % 11 = 0 THEN NULL ELSE 'note ' || i % 1000 END AS note, i % 3 = 0 AS returned
FROM range(${rows}) t(i)`;

async function grids(host, browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  page.setDefaultTimeout(30_000);
  await call(host, "set_settings", { settings: { ...(await call(host, "settings")), rowLimit: ROWS } });
  await page.goto(host.address);
  await page.getByText("Answers come from Sample").waitFor();

  const many = await openRows(host, page, "A million rows", rowsOf(ROWS), ROWS);
  const where = "a result of a million rows";
  const middle = await wheelAt(many);
  await moves(where, "scrolled by the wheel", page, () => turnWheel(page, middle, MOVED_MS, { down: 90 }));
  await moves(where, "scrolled by its bar from end to end, rows read on the way", page, () =>
    many.evaluate(
      (grid, ms) =>
        new Promise((done) => {
          const began = performance.now();
          const next = (now) => {
            const part = (now - began) / ms;
            grid.scrollTop = part * grid.scrollHeight;
            if (part < 1) requestAnimationFrame(next);
            else done();
          };
          requestAnimationFrame(next);
        }),
      MOVED_MS,
    ),
  );
  await page.waitForTimeout(500);
  const head = "document.querySelector('[role=\"grid\"]').getAttribute('aria-activedescendant')";
  const moved = async (keys) => {
    await many.focus();
    const now = await page.evaluate(head);
    return { event: "keydown", shown: `() => ${head} !== ${JSON.stringify(now)} && document.getElementById(${head})?.querySelector(".shimmer") === null`, act: press(page, keys) };
  };
  await page.mouse.click(...middle);
  for (const [what, keys, back] of [["one cell down", "ArrowDown", "ArrowUp"], ["a page down", "PageDown", "PageUp"], ["the last row", "Control+End", "Control+Home"]]) {
    await press(page, back)();
    await page.waitForTimeout(300);
    await does(where, what, page, {
      ...(await moved(keys)),
      undo: async () => {
        await press(page, back)();
        await page.waitForTimeout(300);
      },
    });
  }
  await does(where, "a row's detail is opened", page, {
    event: "keydown",
    shown: `() => document.querySelector('[role="dialog"]') !== null`,
    act: async () => {
      await many.focus();
      await press(page, " ")();
    },
    undo: async () => {
      await press(page, "Escape")();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
  });

  const some = await openRows(host, page, "Fifty thousand rows", rowsOf(ARRANGED), ARRANGED);
  const fewer = "a result of 50,000 rows";
  const header = some.getByRole("columnheader", { name: /customer/ });
  await does(fewer, "sorted by a column of text", page, {
    event: "click",
    shown: `() => document.querySelector('[role="columnheader"][aria-sort="ascending"]') !== null`,
    act: () => header.click({ position: { x: 30, y: 10 } }),
    undo: async () => {
      for (let turn = 0; turn < 2; turn += 1) {
        await header.click({ position: { x: 30, y: 10 } });
        await page.waitForTimeout(500);
      }
    },
  });
  await some.focus();
  await page.keyboard.press("Control+f");
  const field = page.getByPlaceholder(/^(Find|Search)/).last();
  await field.waitFor();
  await page.waitForTimeout(300);
  await does(fewer, "the first letter typed into the search, until what has it is counted", page, await letter(page, "9", COUNTED));
  await page.keyboard.type("8800");
  await page.waitForTimeout(500);
  await page.keyboard.press("Escape");
  await page.close();
}

async function frame(host, browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  await page.goto(host.address);
  await page.getByText("Answers come from Sample").waitFor();
  const where = "the window";
  const box = page.locator('textarea[aria-label="Question"]');
  await box.click();
  await page.keyboard.type("How many stores");
  await does(where, "a letter typed into the question", page, {
    event: "keydown",
    shown: '() => document.activeElement.value?.endsWith("x")',
    act: press(page, "x"),
    undo: press(page, "Backspace"),
  });
  await does(where, "the palette is opened", page, {
    event: "keydown",
    shown: `() => document.querySelector('[role="dialog"] [role="option"]') !== null`,
    act: press(page, "Control+k"),
    undo: async () => {
      await press(page, "Escape")();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
  });
  await press(page, "Control+k")();
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(500);
  const offered = `[...document.querySelectorAll('[role="dialog"] [role="option"]')].map((option) => option.textContent).join("\\n")`;
  await does(where, "a letter typed into the palette, until it offers other entries", page, await letter(page, "s", offered));
  await press(page, "Escape")();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const pages = page.getByRole("navigation", { name: "Pages" });
  for (const [name, title] of [["Tables", "Tables"], ["Saved", "Saved"], ["Connections", "Connections"]]) {
    await does(where, `from the question to ${name.toLowerCase()}`, page, {
      event: "click",
      shown: `() => document.title.startsWith(${JSON.stringify(title)}) && document.querySelector("#page h1, #page h2") !== null`,
      act: () => pages.getByRole("button", { name, exact: true }).click(),
      undo: async () => {
        await page.getByRole("button", { name: "New question" }).click();
        await box.waitFor();
      },
    });
  }
  await page.close();
}

const scale = "new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform)";

/** Moves, zooms and searches a diagram, and opens one of its cards. */
async function diagram(page, where, { find }) {
  const canvas = page.locator(".react-flow__pane");
  const middle = await wheelAt(canvas);
  await moves(where, "moved by the wheel", page, () => turnWheel(page, middle, MOVED_MS, { down: 40, across: 25, back: true }));
  await page.keyboard.down("Control");
  await moves(where, "zoomed by the wheel", page, () => turnWheel(page, middle, MOVED_MS, { down: 30, back: true }));
  await page.keyboard.up("Control");
  const zoomed = async (name) => {
    const now = await page.evaluate(`${scale}.a`);
    return { event: "click", shown: `() => Math.abs(${scale}.a - ${now}) > 0.001`, act: () => page.getByRole("button", { name }).click() };
  };
  const settle = async (name) => {
    await page.getByRole("button", { name }).click();
    await page.waitForTimeout(600);
  };
  await settle("Fit to view");
  await does(where, "“Zoom in” begins to move", page, { ...(await zoomed("Zoom in")), undo: () => settle("Fit to view") });
  await settle("Zoom in");
  await does(where, "“Fit to view” begins to move", page, { ...(await zoomed("Fit to view")), undo: () => settle("Zoom in") });
  if (!find) return;
  await page.getByRole("button", { name: "Find in the graph" }).click();
  await page.keyboard.type(find.slice(0, -1));
  await page.waitForTimeout(500);
  await does(where, "a letter typed into its search, until what has it is counted", page, await letter(page, find.at(-1), COUNTED));
  await press(page, "Escape")();
  await page.waitForTimeout(500);
}

/** Measures the time from the address to the first painted card. */
async function opens(page, where, route, shown) {
  await does(where, "opened", page, {
    event: "hashchange",
    shown,
    act: () => goTo(page, route),
    undo: async () => {
      await goTo(page, "");
      await page.locator('textarea[aria-label="Question"]').waitFor();
    },
    goal: false,
  });
  await goTo(page, route);
  await page.locator("[data-node]").first().waitFor();
  await page.waitForTimeout(1000);
}

const CARD = '() => document.querySelector("[data-node]") !== null';

async function graphs() {
  const window = await startWindow();
  try {
    for (const [where, name, query, route] of [
      ["a run of 2,000 nodes", "work", `sized=${CARDS}`, `run/nodes-${CARDS}/graph/work/picture`],
      ["a data flow of 2,000 cards", "data", `flows=${CARDS}`, `run/flow-${CARDS}/graph/data/picture`],
    ]) {
      const page = await window.open("", { query: `speed=0&${query}` });
      page.setDefaultTimeout(60_000);
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await opens(page, where, route, CARD);
      if (name === "work") {
        const show = page.getByRole("button", { name: "Show views" });
        if ((await show.count()) > 0) await show.click();
        await page.waitForTimeout(3000);
      }
      await diagram(page, where, { find: name === "work" ? "part_7" : "joins" });
      await does(where, "a card is opened", page, {
        event: "click",
        shown: '() => document.querySelector("#page section[aria-label]") !== null && document.querySelector("[data-node][aria-pressed=true]") !== null',
        act: async () => page.mouse.click(...(await inView(page))),
        undo: async () => {
          await press(page, "Escape")();
          await page.waitForTimeout(500);
        },
      });
      await page.context().close();
    }
    const page = await window.open("", { query: `speed=0&tables=${CARDS}` });
    const where = "a catalog of 2,000 tables";
    await does(where, "opened", page, {
      event: "hashchange",
      shown: `() => document.querySelectorAll('[aria-label="Tables"] button').length > 5`,
      act: () => goTo(page, "tables"),
      undo: () => goTo(page, ""),
      goal: false,
    });
    await goTo(page, "tables");
    await page.getByRole("tab", { name: "Keys" }).click();
    await page.getByRole("radio", { name: "Schema" }).click();
    await page.locator("[data-node]").nth(20).waitFor();
    await page.waitForTimeout(500);
    await diagram(page, `${where}, the 120 of its keys that are drawn`, {});
    await page.context().close();
  } finally {
    await window.stop();
  }
}

/** Returns a point where a card can be clicked. */
function inView(page) {
  return page.evaluate(() => {
    for (const card of document.querySelectorAll("[data-node]")) {
      const { x, y, width, height } = card.getBoundingClientRect();
      const at = [x + width / 2, y + Math.min(height / 2, 12)];
      if (document.elementFromPoint(...at)?.closest("[data-node]") === card) return at;
    }
    throw new Error("no card is in view");
  });
}

const home = folder();
const wants = (part) => only === undefined || only.split(",").includes(part);
try {
  const browser = await startBrowser();
  try {
    await empty(browser);
    if (wants("rows") || wants("frame")) {
      const host = await startDevhost(home.path);
      try {
        if (wants("frame")) await frame(host, browser);
        if (wants("rows")) await grids(host, browser);
      } finally {
        await host.stop();
      }
    }
  } finally {
    await browser.close();
  }
  if (wants("graphs")) await graphs();
  writeFileSync(result, JSON.stringify(seen));
} finally {
  home.remove();
}
