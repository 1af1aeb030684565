// The window over made-up data, for tests that need a browser and no program.
import { createServer } from "vite";
import { startBrowser } from "./devhost.mjs";

/** Serves the window and opens a browser; `open` gives a page at an address within the window. */
export async function startWindow() {
  const server = await createServer({
    root: "ui",
    configFile: "ui/vite.config.ts",
    mode: "fake",
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1" },
  });
  await server.listen();
  const browser = await startBrowser();
  const at = (route, query = "speed=0") => `http://127.0.0.1:${server.httpServer.address().port}/fake.html?${query}#/${route}`;
  return {
    async open(route, { width = 1280, height = 800, query, dark = false } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? "dark" : "light",
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      await page.goto(at(route, query));
      await page.locator("#page h1").first().waitFor({ timeout: 60_000 });
      return page;
    },
    async stop() {
      await browser.close();
      await server.close();
    },
  };
}

/** Goes to another page of the window without loading it again. */
export async function goTo(page, route) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${route}`);
}
