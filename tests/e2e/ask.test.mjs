// A person asks in the browser: the real pages, the real api, the real model.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { complaintsOf, folder, startBrowser, startDevhost } from "./devhost.mjs";

const ANSWER_MS = 480_000;
let home;
let host;
let browser;
let page;
let complaints;

before(async () => {
  home = folder();
  host = await startDevhost(home.path);
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  complaints = complaintsOf(page);
});

after(async () => {
  await browser?.close();
  await host?.stop();
  home?.remove();
});

test("the first page shows the sample warehouse and questions to try", async () => {
  await page.goto(host.address);
  await page.locator('textarea[aria-label="Question"]').waitFor();
  await page.getByText("Answers come from Sample").waitFor();
  await page.getByRole("button", { name: "How many customers do we have?" }).waitFor();
});

test("a question is answered, stage by stage, and can be looked into", async () => {
  // Asked at once after a reload, while the data is still being opened: it waits instead of being lost.
  await page.reload();
  await page.locator('textarea[aria-label="Question"]').fill("How many stores are there?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /stop/i }).first().waitFor();
  await page.getByRole("tab", { name: "Answer" }).waitFor({ timeout: ANSWER_MS });
  const address = new URL(page.url());
  assert.match(address.hash, /^#\/run\//);

  await page.getByRole("tab", { name: "Graph" }).click();
  await page.getByRole("radio", { name: "Run" }).click();
  const written = page.locator('[data-node="generator"]').first();
  await written.waitFor();
  await written.click();
  // What a step shows and the outline come a moment after the click.
  await page.waitForFunction(() => /select/i.test(document.body.innerText));

  await page.getByRole("radio", { name: "Outline" }).click();
  await page.getByRole("treeitem").nth(3).waitFor();
});

test("a half-written question is there again after another page and after a reload", async () => {
  const box = page.locator('textarea[aria-label="Question"]');
  await page.getByRole("button", { name: "New question" }).click();
  await box.fill("Which stores");
  await page.getByRole("button", { name: "Tables", exact: true }).click();
  await page.getByRole("button", { name: "New question" }).click();
  assert.equal(await box.inputValue(), "Which stores");
  await page.reload();
  await page.getByText("Answers come from Sample").waitFor();
  assert.equal(await box.inputValue(), "Which stores");
  await box.fill("");
  const history = page.getByRole("region", { name: "History" });
  await history.getByRole("button", { name: "How many stores are there?" }).click();
  await page.getByRole("tab", { name: "Answer" }).waitFor();
});

test("a reload brings everything back from the run log", async () => {
  await page.reload();
  await page.getByRole("tab", { name: "Answer" }).waitFor();
  assert.ok((await page.locator("body").innerText()).includes("How many stores are there?"));
});

test("the answer is exported to CSV", async () => {
  await page.getByRole("tab", { name: "Answer" }).click();
  await page.getByRole("button", { name: /export csv/i }).click();
  const path = join(home.path, "how-many-stores-are-there.csv");
  for (let i = 0; i < 100 && !existsSync(path); i += 1) await page.waitForTimeout(100);
  const lines = readFileSync(path, "utf8").trim().split(/\r?\n/);
  assert.equal(lines.length, 2, "a header and one row");
  assert.match(lines[1], /^"?\d+"?$/);
});

test("a verified question is a benchmark of one's own", async () => {
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByText("Verified", { exact: true }).click();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("button", { name: "Evaluations" }).click();
  await page.getByRole("button", { name: "New evaluation" }).click();
  await dialog.getByText("My verified questions").click();
  await dialog.getByRole("combobox", { name: "Method" }).click();
  await page.getByRole("option", { name: "Direct" }).click();
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.getByText(/of 1 correct/).waitFor({ timeout: ANSWER_MS });

  await page.getByRole("button", { name: /my-.*Direct/ }).click();
  await page.getByRole("listitem").getByRole("button", { name: /How many stores are there/ }).click();
  await page.getByRole("region", { name: "Expected query" }).waitFor();
  await page.locator('[data-node="generator"]').waitFor();
});

test("the pages ran without a complaint, also from the content policy", () => {
  assert.deepEqual(complaints, []);
});

test("a page from elsewhere is refused", async () => {
  const { origin, search } = new URL(host.address);
  const response = await fetch(`${origin}/api/info${search}`, {
    method: "POST",
    headers: { origin: "https://example.com", "content-type": "application/json" },
    body: "{}",
  });
  assert.ok(response.status >= 400, `answered ${response.status}`);
});

test("a program of this computer that does not know the token is refused", async () => {
  const { origin } = new URL(host.address);
  for (const path of ["/", "/events", "/api/info"]) {
    const response = await fetch(origin + path, path.startsWith("/api") ? { method: "POST", body: "{}", headers: { "content-type": "application/json" } } : {});
    assert.equal(response.status, 401, path);
  }
});
