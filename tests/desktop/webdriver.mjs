// The few WebDriver commands that the window test needs, spoken to WebKitWebDriver directly. Scripts cannot be sent:
// the window's content policy allows no evaluated code, and WebKit then never answers.
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { signalGroup } from "../../setup/shell.mjs";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Opens a program's window, or without a program the driver's own empty page. */
export async function openWindow(binary, env) {
  const port = await freePort();
  // A group of its own: the driver may let go of the program without ending it, and its end of a pipe would keep the
  // test waiting for ever.
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], { env, detached: true, stdio: ["ignore", 2, 2] });
  const ended = new Promise((resolve) => driver.on("close", resolve));
  const base = `http://127.0.0.1:${port}`;
  const send = async (method, path, body, signal) => {
    const response = await fetch(base + path, {
      method,
      signal,
      headers: { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  for (let i = 0; i < 50; i += 1) {
    if (await fetch(`${base}/status`).then(() => true, () => false)) break;
    await pause(100);
  }
  const began = performance.now();
  const { sessionId } = await send("POST", "/session", {
    capabilities: { alwaysMatch: binary ? { "webkitgtk:browserOptions": { binary, args: [] } } : {} },
  });
  const session = `/session/${sessionId}`;

  const window = {
    /** When the program was started, on the clock of `performance.now`. */
    began,
    pause,
    /** The program's processes that are left, its model worker among them. */
    processes: () =>
      spawnSync("pgrep", ["-g", String(driver.pid), "-f", binary], { encoding: "utf8" }).stdout.split("\n").filter(Boolean),
    /** Has the window go to another address, as a link or a script would. */
    async go(url) {
      await send("POST", `${session}/url`, { url }, AbortSignal.timeout(5_000));
    },
    /** An element by CSS, or by XPath when the text begins with a slash. */
    async find(path) {
      const using = path.startsWith("/") ? "xpath" : "css selector";
      const element = await send("POST", `${session}/element`, { using, value: path });
      return element[ELEMENT];
    },
    async waitFor(css, ms = 20_000, every = 250) {
      const end = Date.now() + ms;
      for (;;) {
        try {
          return await window.find(css);
        } catch (error) {
          if (Date.now() > end) throw new Error(`${css} did not appear within ${ms} ms: ${error.message}`);
          await pause(every);
        }
      }
    },
    click: (element) => send("POST", `${session}/element/${element}/click`, {}),
    type: (element, text) => send("POST", `${session}/element/${element}/value`, { text }),
    text: (element) => send("GET", `${session}/element/${element}/text`),
    async close() {
      await send("DELETE", session, undefined, AbortSignal.timeout(10_000)).catch(() => {});
      signalGroup(driver.pid, "SIGTERM");
      const patience = setTimeout(() => signalGroup(driver.pid, "SIGKILL"), 5000);
      await ended;
      clearTimeout(patience);
      signalGroup(driver.pid, "SIGKILL");
    },
  };
  return window;
}
