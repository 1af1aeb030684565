import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

// Messages are written in English where they are shown; the catalogs hold them by the hash of that text.
export default defineConfig({
  rootDir: import.meta.dirname,
  sourceLocale: "en",
  locales: ["en", "de", "fr"],
  catalogs: [
    {
      path: "<rootDir>/locales/{locale}",
      include: ["<rootDir>/src"],
      exclude: ["**/*.test.ts", "**/*.test.tsx", "**/bindings.ts"],
    },
  ],
  // Without numbers of lines, a change of the code changes no catalog.
  format: formatter({ lineNumbers: false }),
  orderBy: "origin",
  // No provider above the tree: the window has one language at a time, and is drawn anew when that changes.
  runtimeConfigModule: { Trans: ["vitrine:trans", "Trans"] },
});
