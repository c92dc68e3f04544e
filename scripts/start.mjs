// From template files to a received email: starts the local service, syncs the starter templates to it, lets the example
// application send, and shows the delivery log. To choose the port: `npm start -- --port 4700`.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const templates = path.join(root, "dist", "cli", "main.js");
const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");

/** Always the local service, even if the machine's environment names another one. */
const env = { ...process.env, LETTERSHOP_ENV: "local" };
for (const name of ["LETTERSHOP_URL", "LETTERSHOP_DOMAIN", "LETTERSHOP_API_KEY"]) delete env[name];

const service = spawn(process.execPath, [templates, "service", ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(service, "exit");
// Ctrl-C in a terminal also reaches the service; other signals are passed on. In both cases it shuts down first, then this script.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => service.kill("SIGTERM"));

const url = await ready();
if (url === undefined) {
  const [code] = await ended;
  process.exit(code ?? 1);
}
try {
  run("Sync the starter templates", "templates sync", [templates, "sync"]);
  run(
    "Send a receipt and a password reset from application code (examples/shop)",
    "node examples/shop/dist/main.js",
    [path.join(root, "examples/shop/dist/main.js")],
    () => step([tsc, "-p", path.join(root, "examples/shop")]),
  );
  run("The delivery log", "templates logs", [templates, "logs"]);
} catch (error) {
  service.kill("SIGTERM");
  await ended;
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
console.log(
  `\nRead the emails at ${url}/mail, or as files in ${path.join(".lettershop", "mail")}.\nPress Ctrl-C to stop the local service.`,
);
const [code] = await ended;
process.exit(code ?? 0);

/** Resolves to the service's URL when it listens, or to undefined if it exits before. */
async function ready() {
  const lines = createInterface({ input: service.stdout });
  let serviceUrl;
  for await (const line of lines) {
    console.log(line);
    serviceUrl ??= /^Local service at (\S+)$/.exec(line)?.[1];
    if (serviceUrl !== undefined && line.trimStart().startsWith("data:")) break;
  }
  service.stdout.resume();
  return serviceUrl;
}

function run(title, command, args, before) {
  console.log(`\n${title}\n$ ${command}`);
  before?.();
  step(args);
}

function step(args) {
  const { status, signal } = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) throw new Error(`${path.basename(args[0])} exited with ${signal ?? status}.`);
}
