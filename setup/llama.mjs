// How llama.cpp is built on this machine: with kernels for its processor alone. Fourteen sets, one for each generation of
// processors, took a third of the first build. A build without these settings has them all: that is what is handed out.
import { readFileSync } from "node:fs";
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

/** The environment of a build for this machine; empty where its processor is not known, then all kernels are built. */
export function llama(root) {
  if (process.platform !== "linux" || process.arch !== "x64") return {};
  const flags = readFileSync("/proc/cpuinfo", "utf8").match(/^flags\s*:(.*)$/m)?.[1].trim().split(/\s+/);
  return flags ? { ...kernelsFor(flags), GGML_THIS_MACHINE: "ON", CMAKE_PROJECT_INCLUDE: join(root, "setup", "llama.cmake") } : {};
}
