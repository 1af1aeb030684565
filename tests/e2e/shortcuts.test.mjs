// Shortcuts are changed by the keys of a real keyboard, over made-up data.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { goTo, startWindow } from "./window.mjs";

/** Presses keys on a slow computer as a quick user does: none waits for what the one before it leads to. */
async function quickly(page, ...pressed) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  const codes = { Enter: 13, Escape: 27 };
  await Promise.all(
    pressed.flatMap((keys) => {
      const [key, mod] = keys.split("+").reverse();
      const text = mod ? undefined : key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
      const of = { key, modifiers: mod ? 2 : 0, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0) };
      return [{ type: text ? "keyDown" : "rawKeyDown", text }, { type: "keyUp" }].map((event) =>
        session.send("Input.dispatchKeyEvent", { ...event, ...of }),
      );
    }),
  );
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await session.detach();
}

const typed = (page) => page.evaluate(() => document.activeElement.value);

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
  assert.match(shown, /: Shift\+Z$/);

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

test("what is typed right after a key belongs to what that key opens", async () => {
  const page = await window.open("");
  const question = page.getByLabel("Question", { exact: true });
  await question.focus();
  await quickly(page, "Control+k", "s", "t", "o", "r");
  assert.equal(await typed(page), "stor");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await quickly(page, "Control+o", "s", "t", "o", "r");
  await page.getByRole("dialog", { name: "Open warehouse" }).waitFor();
  assert.equal(await question.inputValue(), "");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.locator("[data-run]").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("menuitem", { name: "Rename" }).hover();
  await quickly(page, "Enter", "s", "t", "o", "r");
  assert.equal(await page.getByRole("dialog", { name: "Rename question" }).getByRole("textbox").inputValue(), "stor");
  // The menu, which is gone a moment later, does not take the keys back.
  await page.getByRole("menu").waitFor({ state: "detached" });
  await page.keyboard.type("es");
  assert.equal(await typed(page), "stores");
  await page.keyboard.press("Escape");

  await goTo(page, "run/r1");
  await page.getByRole("gridcell").nth(1).click();
  await quickly(page, "Control+f", "s", "t", "o", "r");
  assert.equal(await typed(page), "stor");
  await page.keyboard.press("Escape");
  await quickly(page, "Control+s", "s", "t", "o", "r");
  assert.equal(await typed(page), "stor");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("gridcell").nth(1).click();
  await quickly(page, "/", "s", "t", "o", "r");
  assert.match(await typed(page), /returned orders\.stor$/);
  await quickly(page, "Escape", "Enter", "e", "s");
  assert.match(await typed(page), /returned orders\.stores$/);
  await page.context().close();
});
