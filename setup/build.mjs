// Progress of builds, because the first one takes long: cargo's own bar in a terminal, otherwise a line every ten seconds.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { SetupError, say } from "./shell.mjs";

const EVERY = 10_000;

/** Starts a program whose end is awaited later. Its output goes to standard error. */
export function beside(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", 2, 2] });
  const forward = (signal) => child.kill(signal);
  process.on("SIGINT", forward).on("SIGTERM", forward);
  const ended = new Promise((resolve) => child.on("error", () => resolve(1)).on("close", (code) => resolve(code ?? 130)));
  return { ended: ended.finally(() => process.off("SIGINT", forward).off("SIGTERM", forward)), stop: () => child.kill() };
}

/** Parses cargo's bar: `Building [=====>   ] 312/655: llama-cpp-sys-2(build), arrow-cast`. */
export function progressOf(line) {
  const [, done, all, names] = line.match(/Building \[[^\]]*\] (\d+)\/(\d+)(?:: (.*))?$/) ?? [];
  return done === undefined ? null : { done: Number(done), all: Number(all), at: (names ?? "").trim() };
}

/** Builds without a terminal and prints the progress as lines. Resolves to cargo's exit status. */
export function buildAloud(args, { cwd, env }) {
  const bar = { CARGO_TERM_PROGRESS_WHEN: "always", CARGO_TERM_PROGRESS_WIDTH: "120", CARGO_TERM_COLOR: "never" };
  return new Promise((resolve, reject) => {
    const child = spawn("cargo", args, { cwd, env: { ...env, ...bar }, stdio: ["ignore", 2, "pipe"] });
    const forward = (signal) => child.kill(signal);
    process.on("SIGINT", forward).on("SIGTERM", forward);
    const began = Date.now();
    let last = null;
    // Messages end with a line feed, cargo's bar with a carriage return.
    createInterface({ input: child.stderr }).on("line", (line) => {
      const progress = progressOf(line.trimEnd());
      if (progress) last = progress;
      else if (line.trim() !== "" && !/^\s*(Compiling|Downloaded|Downloading)\b/.test(line)) say(line);
    });
    const timer = setInterval(() => {
      if (last) say(`  ${last.done} of ${last.all} packages after ${Math.round((Date.now() - began) / 1000)} s: ${last.at}`);
    }, EVERY);
    child.on("error", (error) => reject(new SetupError(`cargo could not be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      clearInterval(timer);
      process.off("SIGINT", forward).off("SIGTERM", forward);
      resolve(signal ? 130 : code);
    });
  });
}
