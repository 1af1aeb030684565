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
