export default {
  build: {
    ssr: "src/handler.ts",
    minify: true,
    outDir: "out/vite",
    rolldownOptions: { output: { entryFileNames: "index.mjs" } },
  },
  ssr: { noExternal: true },
};
