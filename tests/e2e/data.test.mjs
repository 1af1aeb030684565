// A person looks at data and settings in the browser, without asking anything: the real pages over the real api, no model.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { call, openProgram, rowsOf } from "./devhost.mjs";
import { button } from "./person.mjs";

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

const toggle = (name) => page.getByRole("switch", { name, exact: true });

/** The texts of a table's rows, cell by cell. */
const cellsOf = (table) =>
  table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));

async function openTable(name) {
  await button(page, "Tables").click();
  await page.getByRole("list", { name: "Tables" }).getByRole("button", { name: new RegExp(`^${name}\\b`) }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
}

test("a table's columns are seen at a glance, as they are stored", async () => {
  const shares = await rowsOf(host, sample, "SELECT region, round(100 * count(*) / (SELECT count(*) FROM stores)) FROM stores GROUP BY 1");
  const [[rows]] = await rowsOf(host, sample, "SELECT count(*) FROM stores");
  await openTable("stores");
  await page.getByText(`${rows} rows · 8 columns`).waitFor();
  const row = page.locator("tr", { has: button(page, "region"), hasText: "%," });
  await row.waitFor();
  const [, values, distinct] = await row.locator("td").allInnerTexts();
  assert.equal(distinct, String(shares.length));
  const told = [...values.matchAll(/(\w+) (\d+)%/g)].map(([, region, share]) => [region, Number(share)]);
  assert.ok(told.length > 2, values);
  for (const [region, share] of told) assert.equal(share, Number(shares.find(([name]) => name === region)?.[1]), region);
});

test("sample rows are rows of the table", async () => {
  await page.getByRole("tab", { name: "Sample rows" }).click();
  const part = page.getByRole("region", { name: "Sample rows" });
  await part.getByRole("table").waitFor();
  const shown = (await cellsOf(part.getByRole("table"))).map((cells) => cells.slice(0, 3));
  const stored = await rowsOf(host, sample, "SELECT store_id, store_name, city FROM stores");
  assert.ok(shown.length > 2);
  for (const row of shown) assert.deepEqual(row, stored.find(([id]) => id === row[0]));
});

test("the text that a model reads is the table's", async () => {
  await page.getByRole("tab", { name: "What the model sees" }).click();
  const part = page.getByRole("region", { name: "What the model sees" });
  await part.getByText("No data leaves your computer.").waitFor();
  const text = await part.locator("pre").innerText();
  const names = await rowsOf(host, sample, "SELECT column_name FROM information_schema.columns WHERE table_name = 'stores'");
  for (const [name] of names) assert.match(text, new RegExp(`^  ${name} `, "m"));
  const [[first, last]] = await rowsOf(host, sample, "SELECT min(opened_on), max(opened_on) FROM stores");
  assert.ok(text.includes(`${first} .. ${last}`), text);
});

test("a note on a table is there again after a reload, and is the program's", async () => {
  await page.getByRole("tab", { name: "Columns" }).click();
  await button(page, "Add note or synonyms: stores").click();
  const form = page.getByRole("form", { name: "New note on stores" });
  await form.getByLabel("Synonyms").fill("branches, shops");
  await form.getByLabel("Meaning").fill("Places where people buy");
  await button(form, "Save").click();
  await form.waitFor({ state: "hidden" });
  await page.reload();
  await openTable("stores");
  await page.getByText("stores (also: branches, shops): Places where people buy").waitFor();
  const { entries } = await call(host, "definitions", { uri: sample });
  assert.deepEqual(entries.find(({ subject }) => subject === "stores")?.synonyms, ["branches", "shops"]);
});

test("a file of one's own opens by its path, and its table is what the file holds", async () => {
  const path = join(home.path, "visits.csv");
  writeFileSync(path, "day,city,visitors\n2024-03-01,Lyon,17\n2024-03-02,Köln,8\n2024-03-03,Lyon,25\n");
  await page.keyboard.press("Control+o");
  const dialog = page.getByRole("dialog", { name: "Open warehouse" });
  await dialog.getByLabel("Path").fill(path);
  await button(dialog, "Open").click();
  await dialog.waitFor({ state: "hidden" });
  await button(page, "Tables").click();
  await page.getByRole("heading", { name: "visits", exact: true }).waitFor();
  await page.getByText("3 rows · 3 columns").waitFor();
  await page.getByRole("tab", { name: "Sample rows" }).click();
  const part = page.getByRole("region", { name: "Sample rows" });
  await part.getByText("All 3 rows.").waitFor();
  assert.deepEqual(await cellsOf(part.getByRole("table")), [
    ["Mar 1, 2024", "Lyon", "17"],
    ["Mar 2, 2024", "Köln", "8"],
    ["Mar 3, 2024", "Lyon", "25"],
  ]);
  assert.equal(await page.getByRole("region", { name: "History" }).getByText("Your questions appear here.").count(), 1);
});

test("a rule that is switched off stays so, until all are on again", async () => {
  await button(page, "Settings").click();
  await button(page, "Rules").click();
  const [rule] = (await call(host, "rules")).filter(({ applicability }) => applicability === "hint");
  await page.getByPlaceholder("Search rules").fill(rule.code);
  await page.locator(`#rule-${rule.code}`).waitFor();
  await toggle(rule.name).click();
  await page.getByPlaceholder("Search rules").fill("");
  await toggle("Interpretations").click();
  await page.reload();
  await button(page, "Enable all").waitFor();
  assert.equal(await toggle(rule.name).isChecked(), false);
  assert.equal(await toggle("Interpretations").isChecked(), false);
  await button(page, "Enable all").click();
  assert.equal(await toggle(rule.name).isChecked(), true);
  assert.equal(await toggle("Interpretations").isChecked(), true);
  await button(page, "Enable all").waitFor({ state: "hidden" });
});

test("whether a reading is asked for is kept by the program", async () => {
  await button(page, "Questions").click();
  assert.equal(await toggle("Ask when unsure").isChecked(), true);
  await toggle("Ask when unsure").click();
  await page.reload();
  await toggle("Ask when unsure").waitFor();
  assert.equal(await toggle("Ask when unsure").isChecked(), false);
  assert.equal((await call(host, "settings")).askWhenUnsure, false);
});

test("the pages ran without a complaint", () => {
  assert.deepEqual(complaints, []);
});
