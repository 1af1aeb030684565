// Two windows over one workspace, as tabs of the development host: the second opens with the first one's rights, and has what
// was changed in the first once it is looked at.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { folder, startBrowser, startDevhost } from "./devhost.mjs";

let home;
let host;
let browser;
let context;

before(async () => {
  home = folder();
  host = await startDevhost(home.path);
  browser = await startBrowser();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
});

after(async () => {
  await browser?.close();
  await host?.stop();
  home?.remove();
});

test("a second window opens at the page that is shown, and keeps in step with the first", async () => {
  const first = await context.newPage();
  await first.goto(host.address);
  await first.getByText("Answers come from Sample").waitFor();
  await first.getByRole("button", { name: "Settings", exact: true }).click();
  await first.getByRole("button", { name: "Appearance" }).click();
  await first.keyboard.press("Control+k");
  await first.getByRole("combobox", { name: "Search commands, tables and questions" }).fill("this page in a new window");
  const [second] = await Promise.all([context.waitForEvent("page"), first.keyboard.press("Enter")]);
  await second.getByRole("radiogroup", { name: "Theme" }).waitFor();
  assert.equal(await second.title(), "Settings - Vitrine");
  assert.equal(new URL(second.url()).searchParams.get("token"), new URL(host.address).searchParams.get("token"));

  await first.getByRole("radio", { name: "Dark" }).click();
  const saved = await first.evaluate(async () => {
    const { sampleUri } = await (await fetch("/api/info", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })).json();
    const draft = { id: null, title: "Kept in the first window", question: "How many stores are there?", sql: "SELECT count(*) FROM stores", code: null, warehouse: sampleUri, status: "draft", notes: "", runId: null };
    const response = await fetch("/api/save_question", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ draft }) });
    return { ok: response.ok, text: await response.text() };
  });
  assert.ok(saved.ok, saved.text);
  await second.bringToFront();
  // A browser without a screen gives no tab the focus by itself.
  await second.evaluate(() => window.dispatchEvent(new Event("focus")));
  await second.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await second.getByRole("button", { name: "Saved", exact: true }).click();
  await second.getByText("Kept in the first window").first().waitFor();
  assert.equal(await second.title(), "Saved questions - Vitrine");
});
