// Running other programs. All messages go to standard error: standard output belongs to the command's result.
import { spawn, spawnSync } from "node:child_process";

export const say = (text) => process.stderr.write(`${text}\n`);

export class SetupError extends Error {}

/** Runs a program, its output on standard error unless `stdout` says otherwise; resolves to its exit status. */
export function run(command, args, { env, cwd, stdout = "stderr", stdin = "ignore" } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: [stdin, stdout === "inherit" ? "inherit" : 2, 2] });
    const forward = (signal) => child.kill(signal);
    process.on("SIGINT", forward).on("SIGTERM", forward);
    child.on("error", (error) => reject(new SetupError(`${command} could not be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      process.off("SIGINT", forward).off("SIGTERM", forward);
      resolve(signal ? 130 : code);
    });
  });
}

/** Runs a program that has to succeed. */
export async function must(what, command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new SetupError(`${what} failed (${command} ended with ${code}); the messages above say why`);
}

export const has = (command) => spawnSync("sh", ["-c", `command -v ${command}`], { stdio: "ignore" }).status === 0;

export const output = (command, args) => spawnSync(command, args, { encoding: "utf8" }).stdout ?? "";
