import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/**
 * The preview's page as three plain files: they work below any address, from a folder without a server, and under a policy
 * that allows no inline script. Fonts and icons are within them.
 */
export default defineConfig({
  root: fileURLToPath(new URL("preview", import.meta.url)),
  base: "./",
  publicDir: false,
  plugins: [classicScript(), nothingToPreload()],
  build: {
    target: "es2023",
    cssTarget: ["chrome125", "firefox128", "safari17.5"],
    emptyOutDir: true,
    assetsInlineLimit: Number.POSITIVE_INFINITY,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: {
      // "use client" in packages: everything here is the client's. And no script is fetched by the address of another.
      onLog: (level, log, print) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE" && log.code !== "EMPTY_IMPORT_META") print(level, log);
      },
      output: {
        format: "iife",
        codeSplitting: false,
        entryFileNames: "app.js",
        assetFileNames: ({ names }) => (names.some((name) => name.endsWith(".css")) ? "app.css" : "[name][extname]"),
      },
    },
  },
  server: { host: "127.0.0.1" },
});

/** A browser loads no module from `file:`, but it does load a classic script; `defer` gives it the module's turn. */
function classicScript(): Plugin {
  return {
    name: "classic-script",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html) =>
        html
          .replaceAll(' type="module" crossorigin', " defer")
          .replaceAll(' rel="stylesheet" crossorigin', ' rel="stylesheet"'),
    },
  };
}

/** What is imported later is evaluated later: it is in the one file already. */
function nothingToPreload(): Plugin {
  return {
    name: "nothing-to-preload",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => "export const __vitePreload = (load) => load();",
    },
  };
}
