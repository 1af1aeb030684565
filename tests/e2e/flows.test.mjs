// What a person does with an answer in the browser, from the follow-up to the audit log: the real pages, the real api. The model is
// asked two questions, the second a follow-up that is completed without it; everything after that needs none.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { call, complaintsOf, folder, openProgram, rowsOf, startDevhost } from "./devhost.mjs";
import { button, noted, shows, write, written } from "./person.mjs";

const ANSWER_MS = 480_000;
/** The whole question has to be there within a second; a busy machine gets some more. */
const COMPLETED_MS = 5_000;
const QUESTION = "How many stores are there?";
const BY_REGION = "SELECT region, count(*) AS stores\nFROM stores\nGROUP BY region\nORDER BY stores DESC, region\nLIMIT 3";
let home;
let host;
let browser;
let program;
let page;
let complaints;
let sample;
/** The rows of BY_REGION. */
let byRegion;
/** The addresses of the question's run, and of the one with another query. */
const runs = {};

before(async () => {
  program = await openProgram();
  ({ home, host, browser, page, complaints, sample } = program);
  byRegion = await rowsOf(host, sample, BY_REGION);
});

after(() => program?.close());

const tab = (name) => page.getByRole("tab", { name, exact: true });
const history = (of = page) => of.getByRole("region", { name: "History" });
const runId = () => new URL(page.url()).hash.split("/")[2];
const answered = () => tab("Answer").waitFor({ timeout: ANSWER_MS });

test("a question is answered, and a follow-up to it becomes a whole question that is answered", async () => {
  await page.locator('textarea[aria-label="Question"]').fill(QUESTION);
  await page.keyboard.press("Enter");
  await answered();
  runs.first = runId();
  // No model is asked: the whole question is there at once, and can be edited.
  const question = `${QUESTION.replace("?", "")}, only those in Germany?`;
  const box = page.getByLabel("Follow-up", { exact: true });
  await box.fill("only those in Germany");
  const next = page.getByRole("region", { name: "Next question" });
  await next.getByText(question).waitFor({ timeout: COMPLETED_MS });
  await button(next, "Edit").click();
  const whole = page.getByLabel("Complete question", { exact: true });
  assert.equal(await whole.inputValue(), question);
  await page.getByText("“only those in Germany” as a complete question.").waitFor();
  await whole.press("Escape");
  assert.equal(await box.inputValue(), "only those in Germany");
  await next.getByText(question).waitFor({ timeout: COMPLETED_MS });
  await box.press("Enter");
  await page.waitForFunction((id) => !location.hash.includes(id), runs.first);
  await answered();
  await page.getByText("Then: “only those in Germany”").waitFor();
  await history().getByText(question, { exact: true }).waitFor();
  const thread = page.getByRole("region", { name: "Earlier questions of this thread" });
  await thread.getByRole("listitem").getByRole("button", { name: QUESTION }).click();
  await button(thread, "Open this answer").click();
  await page.waitForFunction((id) => location.hash.includes(id), runs.first);
});

test("an edited query runs, in its own order, and a mistake is marked in its line", async () => {
  await tab("SQL").click();
  await write(page, "SELECT region,\n  count(*) AS stores,\n  max(nowhere)\nFROM stores\nGROUP BY region");
  await button(page, "Run").click();
  await page.locator("#page").getByRole("alert").getByText("The database could not run the query").waitFor();
  assert.equal((await page.locator(".cm-badLine").innerText()).trim(), "max(nowhere)");
  // The browser itself notes that the program refused that.
  assert.deepEqual(complaints.splice(0), ["Failed to load resource: the server responded with a status of 400 (Bad Request)"]);
  await write(page, BY_REGION);
  await button(page, "Run").click();
  await shows(page, "Result of the edited SQL", byRegion);
  assert.equal(await page.locator(".cm-badLine").count(), 0);
});

test("the edited query is explained in words, and the database tells its plan", async () => {
  await button(page, "Explain").click();
  const words = page.getByRole("region", { name: "Explanation" });
  await words.getByText("Steps reproduce the result").waitFor();
  await words.getByText("Sorted by stores, largest first, then region").waitFor();
  const [[regions]] = await rowsOf(host, sample, "SELECT count(DISTINCT region) FROM stores");
  await words.getByText(`Shows 3 of ${regions} rows.`).waitFor();
  await button(page, "Plan").click();
  const plan = page.getByRole("tree", { name: "Steps of the plan" });
  await plan.getByRole("treeitem", { name: /SCAN.*stores/ }).waitFor();
  assert.match(await plan.getByRole("treeitem").first().innerText(), /^TOP N\nTop: 3/);
  await button(page, "Plan").click();
  await plan.waitFor({ state: "hidden" });
});

test("the edited query is saved in a folder and opens on its last result; its limit is asked for", async () => {
  const dialog = page.getByRole("dialog");
  await button(page, "Save").click();
  await dialog.getByLabel("Title").fill("Stores by region");
  await dialog.getByText("Verified", { exact: true }).click();
  await dialog.getByRole("combobox", { name: "Folder" }).fill("Sales/Regions");
  await dialog.getByLabel("Tags").fill("board, weekly");
  await dialog.getByRole("checkbox", { name: /limit/i }).check();
  await button(dialog, "Save").click();
  await noted(page, "Saved “Stores by region”.");

  await page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: "Saved" }).click();
  await page.getByRole("navigation", { name: "Folders" }).getByRole("button", { name: /Regions/ }).click();
  await button(page, "weekly").click();
  await page.getByRole("button", { name: /^Stores by region/ }).click();
  await page.getByRole("heading", { name: "Stores by region" }).waitFor();
  await page.getByText(/^Last run/).waitFor();
  await shows(page, "Answer", byRegion);

  const form = page.getByRole("form", { name: "Parameters" });
  await form.getByLabel(/limit/i).fill("2");
  await button(form, "Run").click();
  await page.getByText(/with Limit 2$/).waitFor();
  await shows(page, "Answer", byRegion.slice(0, 2));
  await page.reload();
  await shows(page, "Answer", byRegion);
});

test("another query at its node runs from there, without a model", async () => {
  await page.goto(`${host.address}#/run/${runs.first}/graph/work/picture`);
  const node = page.locator('[data-node="generator"]').first();
  await node.click();
  await button(page, "Edit the SQL").click();
  const form = page.getByRole("form", { name: "Edit the SQL" });
  await form.getByLabel("SQL").fill(BY_REGION);
  await form.getByText(/no model call/).waitFor();
  await button(form, "Run from here").click();
  await page.getByRole("main").getByText("Changed: the SQL").waitFor();
  await answered();
  runs.second = runId();
  await shows(page, "Answer", byRegion);
});

test("the two runs are compared: other SQL, other rows, no call of a model", async () => {
  await button(page, "Compare with the earlier run").click();
  await page.getByRole("heading", { name: "Compare two runs" }).waitFor();
  const line = (name) => page.getByRole("row", { name: new RegExp(`^${name}`) }).getByRole("cell").allInnerTexts();
  await page.getByRole("region", { name: "Result" }).getByText("1 only in the first, 3 only in the second").waitFor();
  const [asked, changed] = await line("Model calls");
  assert.ok(Number(asked) > 0, asked);
  assert.equal(changed, "0");
  assert.deepEqual(await line("Rows"), ["1", String(byRegion.length)]);
  await page.getByRole("region", { name: "SQL" }).getByText("GROUP BY region").waitFor();
  await button(page, "Open").nth(1).click();
  await page.waitForFunction((id) => location.hash.includes(id), runs.second);
});

test("a run is replayed from its first event to its last", async () => {
  await page.goto(`${host.address}#/run/${runs.first}/graph/work/picture`);
  const nodes = page.locator("[data-node]");
  await nodes.first().waitFor();
  const all = await nodes.count();
  await button(page, "Replay").click();
  const bar = page.getByRole("region", { name: "Replay" });
  const slider = bar.getByRole("slider");
  await button(bar, "Next stage").click();
  await page.waitForTimeout(500);
  const early = await nodes.count();
  assert.ok(early < all, `${early} of ${all}`);
  while (await button(bar, "Next stage").isEnabled()) await button(bar, "Next stage").click();
  assert.equal(await slider.inputValue(), await slider.getAttribute("max"));
  await page.waitForFunction((n) => document.querySelectorAll("[data-node]").length === n, all);
  await button(bar, "End replay").click();
  await bar.waitFor({ state: "hidden" });
});

test("a run of the history is named, pinned, found by its SQL, deleted and brought back", async () => {
  const menu = async (id, item) => {
    await history().locator(`[data-run="${id}"]`).click({ button: "right" });
    await page.getByRole("menuitem", { name: item }).click();
  };
  await menu(runs.second, "Rename");
  const dialog = page.getByRole("dialog", { name: "Rename question" });
  await dialog.getByLabel("Name in the history").fill("Regions with most stores");
  await button(dialog, "Rename").click();
  await history().getByText("Regions with most stores").waitFor();
  await menu(runs.second, "Pin");
  await history().getByRole("heading", { name: "Pinned" }).waitFor();

  await history().getByPlaceholder("Search history").fill("order by stores desc");
  await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 1);
  assert.equal(await history().locator("[data-run]").getAttribute("data-run"), runs.second);
  await menu(runs.second, "Delete");
  await history().locator("[data-run]").waitFor({ state: "hidden" });
  await button(page, "Undo").click();
  await history().locator("[data-run]").waitFor();
  await history().getByPlaceholder("Search history").fill("");
  await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 3);
});

test("the answer is exported as Excel, Parquet and JSON, and the files hold it", async () => {
  await page.goto(`${host.address}#/run/${runs.second}`);
  await answered();
  const save = async (format, ending) => {
    await button(page, "Export in another format").click();
    await page.getByRole("menuitem", { name: format }).click();
    return written(home.path, `how-many-stores-are-there.${ending}`);
  };
  const excel = await save("Excel workbook", "xlsx");
  assert.equal(readFileSync(excel).subarray(0, 2).toString(), "PK");
  const parquet = await save("Parquet", "parquet");
  assert.equal(readFileSync(parquet).subarray(0, 4).toString(), "PAR1");
  const json = await save("JSON", "json");
  const told = JSON.parse(readFileSync(json, "utf8"));
  assert.deepEqual(told, byRegion.map(([region, stores]) => ({ region, stores: Number(stores) })));
  for (const path of [excel, parquet]) {
    const uri = `file:${path}`;
    await call(host, "open_warehouse", { uri });
    const { tables } = (await call(host, "catalog", { uri })).catalog;
    // A workbook has a second sheet about its rows.
    const [rows, about] = tables.map(({ name }) => name.name).sort((a, b) => /about/i.test(a) - /about/i.test(b));
    assert.deepEqual(await rowsOf(host, uri, `SELECT * FROM "${rows}"`), byRegion, path);
    assert.equal(about !== undefined, path === excel);
  }
});

test("the evidence of an answer is one file, which holds together and gives the same rows again", async () => {
  await button(page.locator("#page"), "More").first().click();
  await page.getByRole("menuitem", { name: "Evidence bundle…" }).click();
  await button(page.getByRole("dialog", { name: "Export evidence" }), "Choose where to save").click();
  const path = await written(home.path, "evidence-how-many-stores-are-there.zip");
  await noted(page, "Exported the evidence to evidence-how-many-stores-are-there.zip.");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: "Saved" }).click();
  await button(page, "Files").click();
  page.once("dialog", (prompt) => prompt.accept(path));
  await page.getByRole("menuitem", { name: "Check an evidence bundle…" }).click();
  const dialog = page.getByRole("dialog", { name: "Evidence bundle" });
  await button(dialog, "Run query again").click();
  await dialog.getByText("Not checked").waitFor({ state: "hidden" });
  assert.deepEqual(await dialog.getByRole("listitem").allInnerTexts(), [
    "Parts match their hashes\nYes",
    "The recorded steps end with this answer\nYes",
    "The query returns the same rows now\nYes",
  ]);
  await button(dialog, "Done").click();
});

test("the workspace is exported to one file, and another computer takes it in", async () => {
  // The file holds finished runs, and an answer's background check is a part of its run.
  const running = async () => (await call(host, "history", { search: "", warehouse: null, limit: 9, offset: 0 })).some(({ status }) => status === "running");
  while (await running()) await page.waitForTimeout(500);
  await button(page, "Settings").click();
  await button(page, "Backup").click();
  await page.getByText(/^3 questions asked, 1 saved question/).waitFor();
  await button(page, "Export workspace").click();
  await button(page.getByRole("dialog"), "Choose where to save").click();
  await noted(page, "Exported the workspace to");
  const path = await written(home.path, `vitrine-${new Date().toISOString().slice(0, 10)}.zip`);

  const elsewhere = folder();
  const other = await startDevhost(elsewhere.path);
  const there = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  try {
    const said = complaintsOf(there);
    await there.goto(`${other.address}#/settings/backup`);
    there.once("dialog", (prompt) => prompt.accept(path));
    await button(there, "Choose file").click();
    const dialog = there.getByRole("dialog");
    await button(dialog, "Import").click();
    await button(dialog, "Done").click();
    await history(there).getByText("Regions with most stores").click();
    await shows(there, "Answer", byRegion);
    assert.deepEqual(said, []);
  } finally {
    await there.close();
    await other.stop();
    elsewhere.remove();
  }
});

test("the audit log has what ran and what failed, and is unbroken", async () => {
  await button(page, "Audit log").click();
  const search = page.getByPlaceholder("Search questions, SQL and verdicts");
  const queries = page.getByRole("list", { name: "Queries" }).getByRole("listitem");
  await search.fill("max(nowhere)");
  await queries.filter({ hasText: QUESTION }).first().waitFor({ state: "hidden" });
  assert.equal(await queries.count(), 1);
  assert.match(await queries.innerText(), /^failed\nYou\nWithout a question\n/);
  await search.fill("order by stores desc, region limit 3");
  // Its rows may have been read again since.
  const changed = queries.filter({ hasText: QUESTION }).filter({ hasText: "region LIMIT 3" }).last();
  await changed.waitFor();
  assert.match(await changed.innerText(), new RegExp(`^ran\n[^]*\n${byRegion.length} rows$`));
  await button(page, "Verify").click();
  await page.getByText("The audit log is intact").waitFor();
  const { rows } = await call(host, "check_audit");
  await page.getByText(new RegExp(`^${rows} rows\\.`)).waitFor();
});

test("the pages ran without a complaint", () => {
  assert.deepEqual(complaints, []);
});
