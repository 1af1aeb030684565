// The window over made-up data, for tests that need a browser and no program.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";
import { startBrowser } from "./devhost.mjs";

/** Builds the window, which then opens many times at once, and a browser; `open` gives a page at an address within the window. */
export async function startWindow() {
  const outDir = mkdtempSync(join(tmpdir(), "vitrine-pages-"));
  const options = { root: "ui", configFile: "ui/vite.config.ts", mode: "fake", logLevel: "error" };
  await build({ ...options, build: { outDir, emptyOutDir: true, minify: false, rollupOptions: { input: "ui/fake.html" } } });
  const server = await preview({ ...options, build: { outDir }, preview: { port: 0, host: "127.0.0.1" } });
  const browser = await startBrowser();
  const at = (route, query = "speed=0") => `http://127.0.0.1:${server.httpServer.address().port}/fake.html?${query}#/${route}`;
  return {
    async open(route, { width = 1280, height = 800, zoom = 1, query, dark = false, at: now } = {}) {
      const context = await browser.newContext({
        viewport: { width: width / zoom, height: height / zoom },
        deviceScaleFactor: zoom,
        locale: "en-US",
        timezoneId: "UTC",
        colorScheme: dark ? "dark" : "light",
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      if (now) await page.clock.setFixedTime(now);
      await page.goto(at(route, query));
      await page.locator("#page h1").first().waitFor({ timeout: 60_000 });
      return page;
    },
    async stop() {
      await browser.close();
      await server.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}

/** Goes to another page of the window without loading it again. */
export async function goTo(page, route) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${route}`);
}

/** Shows a state of `states.mjs` on a page of the window. */
export async function showState(page, { at, shows, open, inside }) {
  await goTo(page, at);
  await page.locator(shows).first().waitFor();
  if (open) await open(page);
  if (inside) await page.locator(inside).first().waitFor();
}

/** A colour on its way to another is not one that anybody reads. */
export const STILL = "*, ::before, ::after { transition: none !important; animation: none !important }";
