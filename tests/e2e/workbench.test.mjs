// What a person does with a query of their own, in the browser: write it, run a part of it, draw it, keep it, and be told when what it
// reads has changed. The real pages over the real api; no model is asked.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PNG } from "pngjs";
import { call, openProgram, rowsOf } from "./devhost.mjs";
import { button, noted, shows, write, written } from "./person.mjs";

const BY_REGION = "SELECT region, count(*) AS stores FROM stores GROUP BY region ORDER BY stores DESC, region";
let home;
let host;
let program;
let page;
let complaints;
let sample;

before(async () => {
  program = await openProgram();
  ({ home, host, page, complaints, sample } = program);
});

after(() => program?.close());

const dialog = () => page.getByRole("dialog");
const editor = () => page.locator(".cm-content");
const pages = () => page.getByRole("navigation", { name: "Pages" });

/** Keeps a query as a saved question, and opens it. */
async function openSaved(title, sql, { warehouse = sample, status = "draft" } = {}) {
  const draft = { id: null, title, question: title, sql, code: null, warehouse, status, notes: "", runId: null };
  const { id } = await call(host, "save_question", { draft });
  await page.goto(`${host.address}#/saved/${id}`);
  await page.reload();
  await page.getByRole("heading", { name: title, exact: true }).waitFor();
  return id;
}

const savedAs = async (id) => (await call(host, "saved", { search: "" })).find((question) => question.id === id);

async function openSql() {
  await page.getByRole("radio", { name: "SQL" }).click();
  await editor().waitFor();
}

test("names of tables and columns are completed while a query is written, and the query runs", async () => {
  await openSaved("Names", "SELECT 1 AS one");
  await openSql();
  await write(page, "SELECT max(opened_on) AS last FROM ");
  await page.keyboard.type("stor");
  const offered = page.locator(".cm-tooltip-autocomplete");
  // A key that comes with the list may have been meant for the text: the editor takes none for 75 ms.
  const taken = async (name) => {
    await offered.getByRole("option", { name }).waitFor();
    await page.waitForTimeout(150);
    await page.keyboard.press("Enter");
  };
  await taken(/^stores/);
  assert.match(await editor().innerText(), /FROM stores\s*$/);
  await page.keyboard.type(" s WHERE s.reg");
  await taken(/^region/);
  await page.keyboard.type(" IS NOT NULL");
  await page.keyboard.press("Escape");
  await button(page, "Run").click();
  const [[last]] = await rowsOf(host, sample, "SELECT max(opened_on) FROM stores WHERE region IS NOT NULL");
  const [year] = last.split("-");
  const cell = page.getByRole("grid", { name: "Result of the edited SQL" }).getByRole("gridcell").first();
  await cell.filter({ hasText: new RegExp(`${year}$`) }).waitFor();
});

test("a query is laid out anew, and says the same", async () => {
  const rows = await rowsOf(host, sample, BY_REGION);
  await write(page, BY_REGION);
  await button(page, "Format").click();
  await page.waitForFunction(() => document.querySelectorAll(".cm-line").length > 3);
  assert.equal((await editor().innerText()).replace(/\s+/g, "").toLowerCase(), BY_REGION.replace(/\s+/g, "").toLowerCase());
  await button(page, "Run").click();
  await shows(page, "Result of the edited SQL", rows);
});

test("one part of a query runs alone", async () => {
  const part = "SELECT region FROM stores WHERE city LIKE 'B%' ORDER BY region";
  const rows = await rowsOf(host, sample, part);
  assert.ok(rows.length > 0);
  await write(page, `WITH b AS (\n  ${part}\n)\nSELECT count(*) AS n FROM b`);
  await page.locator('.cm-runParts button[title^="Run b alone"]').click();
  await shows(page, "Rows of b", rows);
  await button(page, "Run").click();
  await shows(page, "Result of the edited SQL", [[String(rows.length)]]);
});

test("what would change the data is refused, and nothing is changed", async () => {
  const stored = await rowsOf(host, sample, "SELECT count(*) FROM stores");
  await write(page, "DELETE FROM stores");
  await button(page, "Run").click();
  await page.locator("#page").getByRole("alert").waitFor();
  // The browser itself notes that the program refused that.
  for (let i = 0; i < 50 && complaints.length === 0; i += 1) await page.waitForTimeout(100);
  assert.deepEqual(complaints.splice(0), ["Failed to load resource: the server responded with a status of 400 (Bad Request)"]);
  assert.deepEqual(await rowsOf(host, sample, "SELECT count(*) FROM stores"), stored);
});

test("a chart is drawn in another way, and is written as a drawing and as a picture", async () => {
  const rows = await rowsOf(host, sample, BY_REGION);
  await openSaved("Stores of each region", BY_REGION);
  await button(page, "Run").click();
  const chart = page.getByRole("region", { name: "Chart" });
  const kinds = chart.getByRole("radiogroup", { name: "Chart type" });
  await chart.locator("svg.marks, canvas.marks").waitFor();
  assert.ok(await kinds.getByRole("radio", { name: "Bars" }).isChecked());

  const save = async (item, ending) => {
    await button(chart, "Export chart").click();
    await page.getByRole("menuitem", { name: item }).click();
    const path = await written(home.path, `stores-of-each-region.${ending}`);
    await noted(page, "Exported the chart to");
    return path;
  };
  const drawing = readFileSync(await save("SVG image", "svg"), "utf8");
  assert.match(drawing, /^<svg[ >]/);
  for (const [region] of rows) assert.ok(drawing.includes(`>${region}<`), `${region} is in the drawing`);
  const picture = PNG.sync.read(readFileSync(await save("PNG image", "png")));
  assert.ok(picture.width >= 880, `${picture.width} wide`);
  const colours = new Set();
  for (let at = 0; at < picture.data.length; at += 4) colours.add(picture.data.readUInt32BE(at));
  assert.ok(colours.size > 20, `${colours.size} colours`);

  await kinds.getByRole("radio", { name: "None" }).click();
  await chart.locator("svg.marks, canvas.marks").waitFor({ state: "hidden" });
  await page.getByRole("radio", { name: "SQL" }).click();
  await page.getByRole("radio", { name: "Answer" }).click();
  await kinds.waitFor();
  assert.ok(await kinds.getByRole("radio", { name: "None" }).isChecked(), "the choice is kept");
  await kinds.getByRole("radio", { name: "Bars" }).click();
  await chart.locator("svg.marks, canvas.marks").waitFor();
});

test("who changes the SQL of a verified question takes “verified” away", async () => {
  const id = await openSaved("All stores", "SELECT count(*) AS stores FROM stores");
  await button(page, "Mark as").click();
  await page.getByRole("menuitem", { name: /^Verified/ }).click();
  await page.locator("#page").getByText("verified", { exact: true }).waitFor();
  assert.equal((await savedAs(id)).status, "verified");

  await openSql();
  await write(page, "SELECT count(*) AS stores FROM stores WHERE region = 'North'");
  await button(page, "Save").click();
  await dialog().getByText("The SQL has changed since it was verified, so it is a draft again.").waitFor();
  assert.ok(await dialog().getByRole("radio", { name: "Draft" }).isChecked());
  await button(dialog(), "Save").click();
  await noted(page, "Changes saved.");
  await page.locator("#page").getByText("draft", { exact: true }).waitFor();
  assert.equal((await savedAs(id)).status, "draft");
});

test("a question is flagged when a column that it reads is gone", async () => {
  const path = join(home.path, "visits.csv");
  writeFileSync(path, "day,city,visitors\n2024-03-01,Lyon,17\n2024-03-02,Köln,8\n");
  const uri = `file:${path}`;
  await call(host, "open_warehouse", { uri });
  const id = await openSaved("Visitors of each city", "SELECT city, sum(visitors) AS visitors FROM visits GROUP BY city ORDER BY city", { warehouse: uri });
  const flag = page.getByText("The schema has changed since this question was saved or checked.");
  await page.getByRole("radio", { name: "SQL" }).waitFor();
  // Nothing that the page before asked may answer for this one.
  await page.goto("about:blank");
  const compared = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/saved_drift");
  await page.goto(`${host.address}#/saved/${id}`);
  assert.deepEqual(await (await compared).json(), []);
  // Once the page has drawn what it was told.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.equal(await flag.count(), 0);

  writeFileSync(path, "day,town,visitors\n2024-03-01,Lyon,17\n2024-03-02,Köln,8\n");
  await call(host, "open_warehouse", { uri });
  await page.reload();
  await flag.waitFor();
  await page.getByRole("status").filter({ has: flag }).getByText(/city/).waitFor();
  await pages().getByRole("button", { name: "Saved" }).click();
  await page.getByRole("button", { name: /^Visitors of each city/ }).getByText(/schema/i).waitFor();
});

test("a definition is kept with its connection, changed, removed, and brought back", async () => {
  // The sample has one of its own.
  const terms = async () =>
    (await call(host, "definitions", { uri: sample })).entries.filter(({ source, term }) => source === "user" && term === "flagship").map(({ term, meaning }) => [term, meaning]);
  await pages().getByRole("button", { name: "Connections" }).click();
  await page.locator("#page").getByRole("button", { name: /Sample/ }).first().click();
  const part = page.getByRole("region", { name: "Definitions" });
  await button(part, "Add").click();
  const form = part.getByRole("form");
  await form.getByLabel("Term").fill("flagship");
  await form.getByLabel("Synonyms").fill("main store");
  await form.getByLabel("Meaning").fill("A store opened before 2010");
  await button(form, "Save").click();
  await form.waitFor({ state: "hidden" });
  assert.deepEqual(await terms(), [["flagship", "A store opened before 2010"]]);

  await part.getByRole("button", { name: /^flagship/ }).click();
  await form.getByLabel("Meaning").fill("A store opened before 2005");
  await button(form, "Save").click();
  await form.waitFor({ state: "hidden" });
  assert.deepEqual(await terms(), [["flagship", "A store opened before 2005"]]);

  await part.getByRole("button", { name: /^flagship/ }).hover();
  await button(part, "Remove flagship").click();
  await part.getByRole("button", { name: /^flagship/ }).waitFor({ state: "hidden" });
  await button(page, "Undo").click();
  await part.getByRole("button", { name: /^flagship/ }).waitFor();
  await page.reload();
  await part.getByText("A store opened before 2005").waitFor();
  assert.deepEqual(await terms(), [["flagship", "A store opened before 2005"]]);
});

test("how rows are sorted and filtered outlives a reload, until it is cleared", async () => {
  await openSaved("Regions to sort", BY_REGION);
  await button(page, "Run").click();
  const grid = page.getByRole("grid", { name: "Answer" });
  const header = grid.getByRole("columnheader", { name: /stores/ });
  await header.click();
  await grid.locator('[role="columnheader"][aria-sort="ascending"]').waitFor();
  await grid.getByRole("columnheader", { name: /region/ }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Filter", exact: true }).click();
  await dialog().getByRole("textbox").last().fill("o");
  await button(dialog(), "Filter").click();
  const filter = page.getByRole("list", { name: "Filters" }).getByText("region contains “o”");
  await filter.waitFor();
  await page.waitForTimeout(800);
  await page.reload();
  await filter.waitFor();
  await grid.locator('[role="columnheader"][aria-sort="ascending"]').waitFor();
  await button(page, "Clear sorting and filters").click();
  await filter.waitFor({ state: "detached" });
  assert.equal(await grid.locator('[role="columnheader"][aria-sort="ascending"]').count(), 0);
});

test("a million rows are looked at from the first to the last", async () => {
  await call(host, "set_settings", { settings: { ...(await call(host, "settings")), rowLimit: 1_000_000 } });
  await openSaved("A million", "SELECT i AS n, i * 2 AS twice FROM range(1000000) t(i)");
  await openSql();
  await button(page, "Run").click();
  const grid = page.getByRole("grid");
  await page.waitForFunction(() => document.querySelector('[role="grid"]')?.getAttribute("aria-rowcount") === "1000001");
  await grid.getByRole("gridcell", { name: "0", exact: true }).first().waitFor();
  const few = async () => {
    const drawn = await grid.getByRole("row").count();
    assert.ok(drawn < 100, `${drawn} rows are drawn`);
  };
  await few();
  await grid.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+End");
  await grid.getByRole("gridcell", { name: "1,999,998" }).waitFor();
  await few();
});

test("the pages ran without a complaint", () => {
  assert.deepEqual(complaints, []);
});
