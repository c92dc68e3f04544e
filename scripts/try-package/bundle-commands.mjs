// The commands in docs/guides/bundlers.md, which the trial runs in `examples/bundled`.

/** Each writes a folder with one entry, `index.mjs` or `index.cjs`, for Node unless `runtime` is set. */
export const bundles = [
  {
    name: "esbuild to CommonJS",
    out: "out/esbuild",
    command: "esbuild src/handler.ts --bundle --platform=node --minify --format=cjs --outfile=out/esbuild/index.cjs",
  },
  {
    name: "esbuild to ESM",
    out: "out/esm",
    command: "esbuild src/handler.ts --bundle --platform=node --minify --format=esm --outfile=out/esm/index.mjs",
  },
  {
    name: "esbuild to ESM with --splitting",
    out: "out/split",
    command:
      "esbuild index=src/handler.ts --bundle --platform=node --minify --format=esm --splitting --outdir=out/split --out-extension:.js=.mjs",
  },
  { name: "webpack", out: "out/webpack", command: "webpack" },
  { name: "Vite", out: "out/vite", command: "vite build" },
  { name: "Rollup", out: "out/rollup", command: "rollup --config rollup.config.mjs" },
  {
    name: "Rolldown",
    out: "out/rolldown",
    command:
      "rolldown src/handler.ts --platform=node --minify --dir=out/rolldown --entry-file-names=index.mjs --chunk-file-names=[name]-[hash].mjs",
  },
  {
    name: "Bun",
    out: "out/bun",
    command: "bun build src/handler.ts --target=bun --minify --outfile=out/bun/index.mjs",
    runtime: "bun",
  },
];

/** A template with its own schema. The guide states only the size of the bundle. */
export const schemaBundle = {
  out: "out/own-schema",
  command:
    "esbuild own-schema/src/handler.ts --bundle --platform=node --minify --format=esm --outfile=out/own-schema/index.mjs",
};

/** Bundles whose mailer has a store. They do not contain the SQLite package. */
export const storeBundles = [
  {
    name: "esbuild",
    out: "out/esbuild-store",
    command:
      "esbuild src/outbox.ts --bundle --platform=node --minify --format=cjs --outfile=out/esbuild-store/index.cjs",
  },
  {
    name: "webpack",
    out: "out/webpack-store",
    command: "webpack --entry-reset --entry=./dist/outbox.js --output-path=out/webpack-store",
  },
  { name: "Vite", out: "out/vite-store", command: "vite build --ssr=src/outbox.ts --outDir=out/vite-store" },
];

/** Deno for a mailer with a store. Without a store, it does not need `--allow-read` and `--allow-write`. */
export const deno = "deno run --node-modules-dir=manual --allow-net --allow-env --allow-read --allow-write";
