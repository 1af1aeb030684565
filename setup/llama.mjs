// Builds llama.cpp with kernels only for this machine's CPU: the fourteen sets, one for each CPU generation, took a third of the
// first build. Without these settings, a build contains all kernels, as releases do.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** CPU features that the kernels can use: llama.cpp's name, and the flags in Linux. */
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
  // Without AMX: GCC 12 omits half of its tile set-up, and no fallback kernels would exist.
};

/** Returns the settings for a CPU with these flags. A CPU with other flags requires a rebuild of the kernels. */
export function kernelsFor(flags) {
  const has = new Set(flags);
  return Object.fromEntries(Object.entries(USES).map(([name, needs]) => [`GGML_${name}`, needs.every((f) => has.has(f)) ? "ON" : "OFF"]));
}

/**
 * Returns the environment of a build for this machine. Empty if its CPU is unknown, so that all kernels are built.
 * The settings file is in the cache like the build, because a checkout may be deleted while CMake keeps the path.
 */
export function llama(cache) {
  if (process.platform !== "linux" || process.arch !== "x64") return {};
  const flags = readFileSync("/proc/cpuinfo", "utf8").match(/^flags\s*:(.*)$/m)?.[1].trim().split(/\s+/);
  return flags ? { ...kernelsFor(flags), GGML_THIS_MACHINE: "ON", CMAKE_PROJECT_INCLUDE: join(cache, "lib", "llama.cmake") } : {};
}

/** Prepares llama.cpp's build: installs the settings file, and removes earlier builds with other settings. */
export function readyLlama({ root, cache, binDir, wanted = llama(cache) }) {
  if (wanted.CMAKE_PROJECT_INCLUDE) {
    mkdirSync(join(cache, "lib"), { recursive: true });
    copyFileSync(join(root, "setup", "llama.cmake"), wanted.CMAKE_PROJECT_INCLUDE);
  }
  dropOtherConfigurations(wanted, join(binDir, "build"));
  // llama.cpp's build script fails to replace dangling links to libraries of an earlier build.
  for (const folder of [binDir, join(binDir, "deps"), join(binDir, "examples")]) dropDanglingLinks(folder);
}

/** Removes configurations with other settings, because the build script configures only once. */
export function dropOtherConfigurations(wanted, folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((name) => name.startsWith("llama-cpp-sys-2-"))) {
    const configured = join(folder, name, "out", "build", "CMakeCache.txt");
    if (existsSync(configured) && !isConfigured(readFileSync(configured, "utf8"), wanted)) rmSync(configured);
  }
}

/** Returns true if a CMakeCache.txt contains these settings. */
function isConfigured(text, wanted) {
  const held = new Map([...text.matchAll(/^(\w+):\w+=(.*)$/gm)].map(([, name, value]) => [name, value]));
  // Without these settings, llama.cpp uses its defaults.
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
