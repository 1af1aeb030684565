// How llama.cpp is built on this machine: with kernels for its processor alone. Fourteen sets, one for each generation of
// processors, took a third of the first build. A build without these settings has them all: that is what is handed out.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What the kernels can use, by llama.cpp's name, and what Linux calls it. */
const USES = {
  SSE42: ["sse4_2"],
  AVX: ["avx"],
  F16C: ["f16c"],
  FMA: ["fma"],
  BMI2: ["bmi2"],
  AVX2: ["avx2"],
  AVX_VNNI: ["avx_vnni"],
  AVX512: ["avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw"],
  AVX512_VBMI: ["avx512vbmi"],
  AVX512_VNNI: ["avx512_vnni"],
  AVX512_BF16: ["avx512_bf16"],
  // Not AMX: GCC 12 drops half of its tile set-up, and there would be no other kernels to turn to.
};

/** The settings for a processor with these flags; a processor with others has the kernels built again. */
export function kernelsFor(flags) {
  const has = new Set(flags);
  return Object.fromEntries(Object.entries(USES).map(([name, needs]) => [`GGML_${name}`, needs.every((f) => has.has(f)) ? "ON" : "OFF"]));
}

/**
 * The environment of a build for this machine; empty where its processor is not known, then all kernels are built.
 * The settings lie in the cache, as what is built with them does: a checkout may go, and CMake remembers the path.
 */
export function llama(cache) {
  if (process.platform !== "linux" || process.arch !== "x64") return {};
  const flags = readFileSync("/proc/cpuinfo", "utf8").match(/^flags\s*:(.*)$/m)?.[1].trim().split(/\s+/);
  return flags ? { ...kernelsFor(flags), GGML_THIS_MACHINE: "ON", CMAKE_PROJECT_INCLUDE: join(cache, "lib", "llama.cmake") } : {};
}

/** Readies llama.cpp's build: its settings where they are looked for, and nothing left of an earlier build with other ones. */
export function readyLlama({ root, cache, binDir, wanted = llama(cache) }) {
  if (wanted.CMAKE_PROJECT_INCLUDE) {
    mkdirSync(join(cache, "lib"), { recursive: true });
    copyFileSync(join(root, "setup", "llama.cmake"), wanted.CMAKE_PROJECT_INCLUDE);
  }
  dropOtherConfigurations(wanted, join(binDir, "build"));
  // llama.cpp's build script cannot replace links to libraries of an earlier build that are gone.
  for (const folder of [binDir, join(binDir, "deps"), join(binDir, "examples")]) dropDanglingLinks(folder);
}

/** Its build script configures once and never again, so that settings that changed would not be heeded. */
export function dropOtherConfigurations(wanted, folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((name) => name.startsWith("llama-cpp-sys-2-"))) {
    const configured = join(folder, name, "out", "build", "CMakeCache.txt");
    if (existsSync(configured) && !isConfigured(readFileSync(configured, "utf8"), wanted)) rmSync(configured);
  }
}

/** Whether a CMakeCache.txt holds these settings. */
function isConfigured(text, wanted) {
  const held = new Map([...text.matchAll(/^(\w+):\w+=(.*)$/gm)].map(([, name, value]) => [name, value]));
  // Without settings of ours llama.cpp chooses by itself.
  if (!wanted.CMAKE_PROJECT_INCLUDE) return !held.has("CMAKE_PROJECT_INCLUDE");
  return Object.entries(wanted).every(([name, value]) => held.get(name) === value);
}

function dropDanglingLinks(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && !existsSync(path)) rmSync(path);
  }
}
