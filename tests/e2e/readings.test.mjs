// A question that can be read in two ways, in the browser: a person says which is meant, sees it at the answer, is not asked again, and
// can change it. The real pages over the real api; the model's query is given.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { call, openProgram } from "./devhost.mjs";
import { startPeer } from "./peer.mjs";
import { button, shows } from "./person.mjs";

const QUESTION = "Show jazz bands and rock bands founded in 1985";
const OF_ALL = "“1985” applies to “Jazz” and “Rock” alike";
const OF_LAST = "“1985” applies only to “Rock”, and “Jazz” is without it";
const ALL = [["Blue Five"], ["Stone Age"]];
const LAST = [["Blue Five"], ["Old Hats"], ["Stone Age"]];
const BANDS = `name,genre,city,founded
Blue Five,Jazz,Berlin,1985
Old Hats,Jazz,Hamburg,1970
Stone Age,Rock,Hamburg,1985
Tin Roof,Rock,Berlin,1999
`;
let host;
let page;
let program;
let peer;
let complaints;
let uri;

before(async () => {
  peer = await startPeer([[QUESTION, "SELECT name FROM bands WHERE genre IN ('Jazz', 'Rock') AND founded = 1985 ORDER BY name"]]);
  program = await openProgram();
  ({ host, page, complaints } = program);
  const path = join(program.home.path, "bands.csv");
  writeFileSync(path, BANDS);
  uri = `file:${path}`;
  const model = { id: "given", title: "Given", provider: "other", baseUrl: peer.address, model: "given", contextTokens: 16_000, hasKey: false };
  await call(host, "set_remote_model", { model, apiKey: null });
  await call(host, "use_model", { id: "given" });
  await page.reload();
  await page.getByText("Answers come from Sample").waitFor();
  await page.keyboard.press("Control+o");
  const dialog = page.getByRole("dialog", { name: "Open warehouse" });
  await dialog.getByLabel("Path").fill(path);
  await button(dialog, "Open").click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("Answers come from bands").waitFor();
});

after(async () => {
  await program?.close();
  await peer?.stop();
});

const box = () => page.locator('textarea[aria-label="Question"]');
const meaning = () => page.getByRole("region", { name: "Interpretation of the question" });
const waits = () => page.getByRole("heading", { name: "Which do you mean?" });

async function ask() {
  await button(page, "New question").click();
  await box().fill(QUESTION);
  await page.keyboard.press("Enter");
}

const remembered = () => call(host, "remembered_readings", { uri });

test("the run waits, says so on other pages, and tells each meaning with what it gives", async () => {
  await ask();
  await waits().waitFor();
  const choices = page.getByRole("region", { name: "Which do you mean?" }).getByRole("listitem");
  assert.equal(await choices.count(), 2);
  await choices.filter({ hasText: OF_ALL }).getByText("2 rows").waitFor();
  await choices.filter({ hasText: OF_LAST }).getByText("3 rows").waitFor();
  const shown = await choices.filter({ hasText: OF_ALL }).innerText();
  assert.ok(shown.indexOf(OF_ALL) < shown.indexOf("2 rows"), "the meaning comes first");
  assert.deepEqual(await remembered(), []);

  await button(page, "Tables").click();
  const history = page.getByRole("region", { name: "History" });
  await history.getByText("Waiting for you").waitFor();
  await history.getByRole("button", { name: new RegExp(QUESTION) }).click();
  await waits().waitFor();
});

test("the meaning that is chosen by its number is answered, and is told at the answer", async () => {
  const place = await page.getByRole("region", { name: "Which do you mean?" }).getByRole("listitem").allInnerTexts();
  const at = place.findIndex((text) => text.includes(OF_LAST));
  await page.locator("#page").focus();
  await page.keyboard.press(String(at + 1));
  await page.getByRole("tab", { name: "Answer" }).waitFor();
  await shows(page, "Answer", LAST);
  await meaning().getByText(OF_LAST).waitFor();
  await meaning().getByText("You chose this interpretation.").waitFor();
  await meaning().getByText("Saved for this question.").waitFor();
  await meaning().getByRole("button", { name: new RegExp(OF_ALL) }).waitFor();
  assert.deepEqual((await remembered()).map((kept) => kept.meaning), [OF_LAST]);
});

test("asked again, the question is read so, and no model is asked", async () => {
  const before = peer.asked();
  await ask();
  await meaning().getByText(/You chose this for this question on/).waitFor();
  await shows(page, "Answer", LAST);
  assert.equal(await waits().count(), 0);
  assert.equal(peer.asked(), before);
});

test("the meaning is changed at the answer, by the query that was made for it", async () => {
  const before = peer.asked();
  await button(meaning(), "Change").click();
  await page.getByRole("menuitem", { name: OF_ALL }).click();
  await page.getByRole("main").getByText("Changed: the interpretation of the question").waitFor();
  await shows(page, "Answer", ALL);
  assert.equal(peer.asked(), before);
  assert.deepEqual((await remembered()).map((kept) => kept.meaning), [OF_ALL]);
});

test("what is remembered is listed with the connection, and once it is forgotten the person is asked again", async () => {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: "Connections" }).click();
  await page.locator("#page").getByRole("button", { name: /^bands/ }).first().click();
  const part = page.getByRole("region", { name: "Chosen interpretations" });
  await part.getByText(OF_ALL).waitFor();
  await part.getByRole("button", { name: `Forget the interpretation of ${QUESTION}` }).click();
  await part.waitFor({ state: "hidden" });
  for (let i = 0; i < 100 && (await remembered()).length > 0; i += 1) await page.waitForTimeout(100);
  assert.deepEqual(await remembered(), []);
  await ask();
  await waits().waitFor();
  await button(page, "Let Vitrine choose").click();
  await shows(page, "Answer", ALL);
  await meaning().getByText(/Vitrine chose this interpretation for you/).waitFor();
});

test("the pages ran without a complaint", () => {
  assert.deepEqual(complaints, []);
});
