// The set-up's own decisions: what it says of a build, and when llama.cpp's build has to be configured again.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { progressOf } from "../../setup/build.mjs";
import { dropOtherConfigurations, kernelsFor } from "../../setup/llama.mjs";

test("how far a build is, is read from cargo's bar", () => {
  const bar = "    Building [=====>      ] 312/655: llama-cpp-sys-2(build), arrow-cast";
  assert.deepEqual(progressOf(bar), { done: 312, all: 655, at: "llama-cpp-sys-2(build), arrow-cast" });
  assert.equal(progressOf("   Compiling serde v1.0.0"), null);
});

test("a processor gets the kernels for what it can do, and no others", () => {
  const kernels = kernelsFor(["sse4_2", "avx", "avx2", "fma", "f16c", "bmi2", "avx512f"]);
  assert.equal(kernels.GGML_AVX2, "ON");
  // One part of AVX-512 is not enough.
  assert.equal(kernels.GGML_AVX512, "OFF");
});

/** A build folder in which llama.cpp was configured so; gives CMake's file. */
function configured(settings) {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-setup-"));
  const build = join(folder, "llama-cpp-sys-2-0123456789abcdef", "out", "build");
  mkdirSync(build, { recursive: true });
  const lines = Object.entries(settings).map(([name, value]) => `${name}:${name.startsWith("GGML_AVX") ? "BOOL" : "UNINITIALIZED"}=${value}`);
  const file = join(build, "CMakeCache.txt");
  writeFileSync(file, ["# This is the CMakeCache file.", "", ...lines, "CMAKE_BUILD_TYPE:STRING=Release"].join("\n"));
  return { folder, file };
}

const ours = { GGML_AVX2: "ON", GGML_AVX512: "OFF", CMAKE_PROJECT_INCLUDE: "/cache/lib/llama.cmake" };

test("llama.cpp is configured again for another processor, for settings that lie elsewhere, and where it had none", () => {
  const others = [{ ...ours, GGML_AVX512: "ON" }, { ...ours, CMAKE_PROJECT_INCLUDE: "/gone/llama.cmake" }, { GGML_AVX2: "ON" }];
  for (const other of others) {
    const { folder, file } = configured(other);
    dropOtherConfigurations(ours, folder);
    assert.equal(existsSync(file), false, JSON.stringify(other));
  }
  const { folder, file } = configured(ours);
  dropOtherConfigurations({}, folder);
  assert.equal(existsSync(file), false, "our settings in a build that has none");
});

test("what is configured as wanted stays", () => {
  const same = configured(ours);
  dropOtherConfigurations(ours, same.folder);
  assert.equal(existsSync(same.file), true);
  const none = configured({});
  dropOtherConfigurations({}, none.folder);
  assert.equal(existsSync(none.file), true);
});
