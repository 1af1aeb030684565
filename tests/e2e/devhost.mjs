// Starts the real program behind the development host, with a workspace of its own, and a browser on it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const binDir = process.env.VITRINE_BIN_DIR;

/** A folder for one test file's workspace and results. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), "vitrine-e2e-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export async function startDevhost(home) {
  const child = spawn(join(binDir, "vitrine-devhost"), ["--port", "0", "--ui", "ui/dist", "--files", home], {
    env: { ...process.env, VITRINE_HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const address = await new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const found = said.match(/http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/);
      if (found) resolve(found[0]);
    });
    child.on("close", (code) => reject(new Error(`the development host ended with ${code}: ${said}`)));
  });
  return {
    address,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners("close");
        child.on("close", resolve);
        child.kill("SIGTERM");
      }),
  };
}

/** Asks the program itself, by the same commands as its pages. */
export async function call(host, command, args = {}) {
  const { origin, search } = new URL(host.address);
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${origin}/api/${command}${search}`, { method: "POST", headers, body: JSON.stringify(args) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${command}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** The rows of a short result, as the program reads them. */
export async function rowsOf(host, warehouse, sql) {
  let result = await call(host, "open_result", { warehouse, sql, rowLimit: 1000 });
  const { resultId } = result;
  while (!result.complete) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    result = await call(host, "result_status", { resultId });
  }
  const { rows } = await call(host, "result_rows", { resultId, offset: 0, count: 1000 });
  await call(host, "close_result", { resultId });
  return rows;
}

/** Gathers what a page complains about. */
export function complaintsOf(page) {
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return complaints;
}

/** The program with an empty home, and a page of it in a browser over the sample warehouse. */
export async function openProgram() {
  const home = folder();
  const host = await startDevhost(home.path);
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  page.setDefaultTimeout(60_000);
  const complaints = complaintsOf(page);
  const sample = (await call(host, "info")).sampleUri;
  await page.goto(host.address);
  await page.getByText("Answers come from Sample").waitFor();
  const close = async () => {
    await browser.close();
    await host.stop();
    home.remove();
  };
  return { home, host, browser, page, complaints, sample, close };
}

export const startBrowser = () =>
  chromium.launch({
    executablePath: process.env.VITRINE_CHROMIUM || "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Text is drawn alike on every machine.
      "--font-render-hinting=none",
      "--disable-font-subpixel-positioning",
      "--disable-lcd-text",
      "--force-color-profile=srgb",
    ],
  });
