// From template files to a received email: starts the local service, syncs the starter templates to it, lets the example
// application send, and shows what happened. `npm start -- --port 4700` chooses the port.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const templates = path.join(root, "dist", "cli", "main.js");
const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");

/** Whatever the machine's environment says of other targets, this is about the local service. */
const env = { ...process.env, LETTERSHOP_ENV: "local" };
for (const name of ["LETTERSHOP_URL", "LETTERSHOP_DOMAIN", "LETTERSHOP_API_KEY"]) delete env[name];

const service = spawn(process.execPath, [templates, "service", ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(service, "exit");
// A terminal's Ctrl-C reaches the service too; from elsewhere the signal is passed on. Either way it ends in order, and we with it.
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
  `\nRead the mails at ${url}/mail, or as files in ${path.join(".lettershop", "mail")}.\nThe local service goes on until Ctrl-C.`,
);
const [code] = await ended;
process.exit(code ?? 0);

/** The service's address, once it listens; undefined when it ended before. */
async function ready() {
  const lines = createInterface({ input: service.stdout });
  let address;
  for await (const line of lines) {
    console.log(line);
    address ??= /^Local service at (\S+)$/.exec(line)?.[1];
    if (address !== undefined && line.trimStart().startsWith("data:")) break;
  }
  service.stdout.resume();
  return address;
}

function run(title, shown, args, before) {
  console.log(`\n${title}\n$ ${shown}`);
  before?.();
  step(args);
}

function step(args) {
  const { status, signal } = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) throw new Error(`${path.basename(args[0])} ended with ${signal ?? status}.`);
}
