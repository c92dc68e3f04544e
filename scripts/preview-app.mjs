// Serves the preview's page from its sources with Vite, for development, and proxies its requests to a running preview. Run
// `npx templates preview` in a project, then `npm run preview:dev -- http://127.0.0.1:PORT` here.
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const [target] = process.argv.slice(2);
if (target === undefined || !URL.canParse(target)) {
  console.error("Pass the URL of a running preview: npm run preview:dev -- http://127.0.0.1:PORT");
  process.exit(2);
}
const { origin } = new URL(target);
const proxy = { target: origin, changeOrigin: true, headers: { origin, "sec-fetch-site": "same-origin" } };
const server = await createServer({
  configFile: fileURLToPath(new URL("../vite.config.ts", import.meta.url)),
  server: { proxy: { "/api": proxy, "/assets": proxy } },
});
await server.listen();
server.printUrls();
