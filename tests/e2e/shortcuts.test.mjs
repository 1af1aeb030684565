// Shortcuts are changed by the keys of a real keyboard, over made-up data.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { goTo, startWindow } from "./window.mjs";

let window;
before(async () => {
  window = await startWindow();
});
after(() => window?.stop());

test("a shortcut has the keys that are pressed for it, in the editor and in a graph, too", async () => {
  const page = await window.open("settings/keyboard");
  const change = async (title, keys) => {
    const button = page.getByRole("button", { name: `Change “${title}”` });
    await button.click();
    await button.press(keys);
    await page.waitForFunction(() => !document.querySelector('#page [aria-pressed="true"]'));
  };
  await change("Go to the question box, or edit the question", "Control+Shift+e");
  await change("Run the edited query or code", "F9");
  await change("Zoom in", "Shift+Z");
  const shown = await page.getByRole("button", { name: "Change “Zoom in”" }).textContent();
  assert.match(shown, /: ShiftZ$/);

  await goTo(page, "");
  await page.locator("#page").focus();
  await page.keyboard.press("Control+Shift+e");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Question");
  await page.keyboard.type("a / b");
  assert.equal(await page.getByLabel("Question", { exact: true }).inputValue(), "a / b");

  await goTo(page, "run/r1/sql");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("F9");
  await page.locator("[role=grid]").first().waitFor();

  await goTo(page, "run/r1/graph/work/picture");
  const card = page.locator('[data-node="schema"]');
  await card.focus();
  await page.waitForTimeout(300);
  const before = await card.boundingBox();
  await page.keyboard.press("Shift+Z");
  await page.waitForFunction((w) => document.querySelector('[data-node="schema"]').getBoundingClientRect().width > w, before.width);
  await page.context().close();
});
