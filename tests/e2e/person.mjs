// What a person does and sees in the real pages, whatever the page.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

export const button = (within, name) => within.getByRole("button", { name, exact: true });

/** Writes a query into the editor in place of what is there. */
export async function write(page, sql) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(sql);
  await page.keyboard.press("Escape");
}

/** The rows of a grid that are in view, cell by cell. */
const gridRows = (grid) =>
  grid.evaluate((element) =>
    [...element.querySelectorAll('[role="row"]')]
      .map((row) => [...row.querySelectorAll('[role="gridcell"]')].map((cell) => cell.textContent.trim()))
      .filter((cells) => cells.length > 0),
  );

/** Waits until a grid shows these rows: it has its size before its cells. */
export async function shows(page, label, rows) {
  const grid = page.getByRole("grid", { name: label });
  await grid.waitFor();
  for (let i = 0; i < 100 && !isDeepStrictEqual(await gridRows(grid), rows); i += 1) await page.waitForTimeout(100);
  assert.deepEqual(await gridRows(grid), rows);
}

/** Waits for a message and puts it away: it may stand on what comes next. */
export async function noted(page, title) {
  const messages = page.getByRole("region", { name: "Notifications" });
  await messages.getByText(title).waitFor();
  while ((await button(messages, "Dismiss").count()) > 0) await button(messages, "Dismiss").first().click();
}

/** Waits for a file that the program writes into a folder. */
export async function written(folder, name) {
  const path = join(folder, name);
  for (let i = 0; i < 300 && !existsSync(path); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(existsSync(path), name);
  return path;
}
