// Runs other programs. All messages go to standard error, because standard output is reserved for the command's result.
import { spawn, spawnSync } from "node:child_process";

export const say = (text) => process.stderr.write(`${text}\n`);

export class SetupError extends Error {}

/**
 * Runs a program with its output on standard error, unless `stdout` specifies another stream. Resolves to its exit status. With
 * `minutes`, it runs in a separate process group, which is terminated after that time; resolves to 124 then.
 */
export function run(command, args, { env, cwd, stdout = "stderr", stdin = "ignore", minutes } = {}) {
  return new Promise((resolve, reject) => {
    const detached = minutes !== undefined;
    const child = spawn(command, args, { env, cwd, detached, stdio: [stdin, stdout === "inherit" ? "inherit" : 2, 2] });
    const forward = (signal) => (detached ? signalGroup(child.pid, signal) : child.kill(signal));
    process.on("SIGINT", forward).on("SIGTERM", forward);
    let late = false;
    const limit = detached && setTimeout(() => {
      late = true;
      say(`${command} did not end within ${minutes} minutes. Still running:\n${group(child.pid)}`);
      signalGroup(child.pid, "SIGKILL");
    }, minutes * 60_000);
    child.on("error", (error) => reject(new SetupError(`${command} could not be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      process.off("SIGINT", forward).off("SIGTERM", forward);
      // Remaining processes would keep the terminal and the CPU busy.
      if (detached) signalGroup(child.pid, "SIGKILL");
      resolve(late ? 124 : signal ? 130 : code);
    });
  });
}

/** Sends a signal to the remaining processes of a group. A program that could not be started has no group. */
export function signalGroup(leader, signal) {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Returns the processes of a group, one per line. */
const group = (leader) => output("ps", ["-o", "pid,ppid,etime,stat,args", "-g", String(leader)]).trimEnd();

/** Runs a program and fails if it does not succeed. */
export async function must(what, command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new SetupError(`${what} failed (${command} ended with ${code}); the messages above say why`);
}

export const has = (command) => spawnSync("sh", ["-c", `command -v ${command}`], { stdio: "ignore" }).status === 0;

export const output = (command, args, options = {}) => spawnSync(command, args, { encoding: "utf8", ...options }).stdout ?? "";
