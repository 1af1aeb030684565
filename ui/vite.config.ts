import { resolve } from "node:path";
import { lingui } from "@lingui/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { macros } from "./locales/macros.ts";

// Relative base: the shell and the development host serve the same files. No inlined assets: the content policy
// allows files of the app itself only.
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [
    macros(),
    lingui({ configPath: resolve(import.meta.dirname, "lingui.config.ts") }),
    react(),
    tailwindcss(),
  ],
  resolve: { alias: { "vitrine:trans": resolve(import.meta.dirname, "src/kit/trans.tsx") } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: ["es2022", "safari16.4"],
    cssTarget: "safari16.4",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: {
    port: 5173,
    strictPort: false,
    // Open the address that vitrine-devhost prints first: the cookie with its token counts for all ports of 127.0.0.1.
    host: "127.0.0.1",
    proxy: {
      "/api": process.env.VITRINE_DEVHOST ?? "http://127.0.0.1:8787",
      "/events": process.env.VITRINE_DEVHOST ?? "http://127.0.0.1:8787",
    },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    setupFiles: ["./test/setup.ts"],
    css: false,
    // Tests take longer on a busy machine.
    testTimeout: 120_000,
    pool: "threads",
    maxWorkers: 2,
  },
});
