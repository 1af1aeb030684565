// The run's graph over made-up runs, as the browser draws it: no text is less than 10 px high.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createServer } from "vite";
import { startBrowser } from "./devhost.mjs";

const SIZES = [5, 13, 24, 33, 40];
let server;
let browser;

before(async () => {
  server = await createServer({ root: "ui", configFile: "ui/vite.config.ts", mode: "fake", logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
  await server.listen();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** The heights on screen of the graph's texts that are shown. */
function textHeights() {
  const scale = new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport")).transform).a;
  return [...document.querySelectorAll(".react-flow__node *")]
    .filter((e) => e.getClientRects().length > 0 && [...e.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim()))
    .map((e) => Number.parseFloat(getComputedStyle(e).fontSize) * scale);
}

for (const width of [960, 1280]) {
  test(`text of a graph is at least 10 px high at ${width}`, async () => {
    const page = await browser.newPage({ viewport: { width, height: 640 } });
    for (const nodes of SIZES) {
      await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/fake.html?speed=0&sized=${SIZES}#/run/nodes-${nodes}/graph/work/picture`);
      await page.reload();
      await page.locator("[data-node]").first().waitFor({ timeout: 60_000 });
      await page.waitForTimeout(500);
      const heights = await page.evaluate(textHeights);
      assert.ok(heights.length > 0, `${nodes} nodes show text`);
      assert.ok(Math.min(...heights) >= 10, `${nodes} nodes: ${Math.min(...heights)} px`);
    }
    await page.close();
  });
}
