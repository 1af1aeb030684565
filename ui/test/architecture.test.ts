// host <- kit <- features <- app, and features do not know each other.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "../src");

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function layerOf(path: string): string {
  const parts = relative(SRC, path).split("/");
  return parts[0] === "features" ? `features/${parts[1]}` : parts[0]!;
}

const RANK: Record<string, number> = { host: 0, kit: 1, features: 2, app: 3, "main.tsx": 4 };
const rank = (layer: string) => RANK[layer.split("/")[0]!] ?? -1;

const all = files(SRC);
const shipped = all.filter((path) => !/\.test\.tsx?$/.test(path));
const imports = shipped.flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => ({
    from: path,
    to: resolve(dirname(path), match[1]!),
  })),
);

describe("imports", () => {
  it("only go down the layers", () => {
    const up = imports.filter((i) => rank(layerOf(i.to)) > rank(layerOf(i.from)));
    expect(up).toEqual([]);
  });
  it("never go from one feature to another", () => {
    const across = imports.filter(
      (i) =>
        layerOf(i.from).startsWith("features/") &&
        layerOf(i.to).startsWith("features/") &&
        layerOf(i.from) !== layerOf(i.to),
    );
    expect(across).toEqual([]);
  });
  it("never reach into the tests", () => {
    expect(imports.filter((i) => !i.to.startsWith(SRC))).toEqual([]);
  });
});

it("only the host touches IPC, the network or storage", () => {
  const outside = shipped.filter((path) => layerOf(path) !== "host");
  const touching = outside.filter((path) =>
    /\bfetch\(|EventSource|localStorage|sessionStorage|@tauri-apps|XMLHttpRequest|WebSocket/.test(
      readFileSync(path, "utf8"),
    ),
  );
  expect(touching).toEqual([]);
});

it("nothing is rendered as HTML or evaluated", () => {
  const risky = shipped.filter((path) =>
    /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|\beval\(|new Function/.test(readFileSync(path, "utf8")),
  );
  expect(risky).toEqual([]);
});

it("each feature says who owns its state", () => {
  for (const feature of readdirSync(join(SRC, "features"))) {
    expect(readFileSync(join(SRC, "features", feature, "README.md"), "utf8")).toContain(`# ${feature}`);
  }
});

it("files that people write stay small enough to read", () => {
  const written = all.filter((path) => !path.endsWith("host/bindings.ts"));
  const long = written.filter((path) => readFileSync(path, "utf8").split("\n").length > 520);
  expect(long).toEqual([]);
});
