// The tour of the first start in a browser: by keyboard alone, in a small and a zoomed window, over made-up data.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startWindow } from "./window.mjs";

let window;
before(async () => {
  window = await startWindow();
});
after(() => window?.stop());

const focused = (page) =>
  page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);

test("the keyboard leads through the tour, and the focus is never lost", async () => {
  const page = await window.open("", { query: "speed=0&fresh" });
  await page.getByRole("dialog", { name: "Ask in your own words" }).waitFor();
  await page.waitForFunction(() => document.activeElement.textContent === "Next");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "The answer and how certain it is" }).waitFor();
  assert.equal(await focused(page), "Next");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Explore and save it" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.match(await focused(page), /^How many customers ordered/);
  await page.context().close();
});

test("whoever types during the tour types the question", async () => {
  const page = await window.open("", { query: "speed=0&fresh" });
  await page.waitForFunction(() => document.activeElement.textContent === "Next");
  await page.keyboard.type("Which stores?");
  assert.equal(await page.getByLabel("Question", { exact: true }).inputValue(), "Which stores?");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.context().close();
});

test("each card is whole in a small and in a zoomed window", async () => {
  for (const size of [{ width: 960, height: 640 }, { width: 640, height: 400 }]) {
    const page = await window.open("", { query: "speed=0&fresh", ...size });
    for (const title of ["Ask in your own words", "The answer and how certain it is", "Explore and save it"]) {
      const card = page.getByRole("dialog", { name: title });
      await card.waitFor();
      await page.waitForTimeout(300);
      const { x, y, width, height } = await card.boundingBox();
      const where = `${title} at ${size.width}: ${x}, ${y}, ${width} x ${height}`;
      assert.ok(x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height, where);
      await page.keyboard.press("Enter");
    }
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.context().close();
  }
});
