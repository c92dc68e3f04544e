// Packs the package and uses it as its users do: in empty applications outside of the repository, each in a folder whose
// name holds a space. What is published is what works.
import { spawn, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const { report, tarball: packed } = parseArgs({
  options: { report: { type: "string" }, tarball: { type: "string" } },
}).values;
const folder = await mkdtemp(path.join(tmpdir(), "lettershop packed-"));
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !name.startsWith("npm_") && !name.startsWith("LETTERSHOP_") && name !== "CI" && name !== "NODE_ENV",
  ),
);
const results = [];

const tarball = packed === undefined ? await pack() : path.resolve(packed);
const tools = ["typescript@7", "@types/node@22", "@types/react@19"];

await attempt("a production install that only sends stays under 15 MB", async () => {
  const app = await emptyApp("only sends", { type: "module" });
  npm(app, "install", "--omit=dev", tarball);
  const megabytes = (await sizeOf(path.join(app, "node_modules"))) / 1e6;
  console.log(`  ${megabytes.toFixed(1)} MB`);
  if (megabytes >= 15) throw new Error(`${megabytes.toFixed(1)} MB`);
});

await attempt("an ESM application in TypeScript with rootDir: src", async () => {
  const app = await emptyApp("esm app", { type: "module" });
  npm(app, "install", tarball);
  await expectHelp(app);
  templates(app, "init", "--mjml", "--react");
  npm(app, "install", "--save-dev", ...tools);
  await mkdir(path.join(app, "src"));
  await useInTypeScript(app, "NodeNext");
  await usePreview(app);
});

await attempt("a CommonJS application with require", async () => {
  const app = await emptyApp("commonjs app", {});
  npm(app, "install", tarball);
  templates(app, "init", "--mjml");
  npm(app, "install", "--save-dev", ...tools);
  await mkdir(path.join(app, "src"));
  await useInTypeScript(app, "CommonJS");
  await writeFile(
    path.join(app, "plain.cjs"),
    `const { createMailer, SendError } = require("lettershop/send");\nif (typeof createMailer !== "function" || typeof SendError !== "function") process.exit(1);\n`,
  );
  run(app, process.execPath, ["plain.cjs"]);
});

await attempt("a workspace with symlinked packages, in pnpm's layout", async () => {
  const workspace = await emptyApp("work space", { workspaces: ["packages/*"] });
  const app = path.join(workspace, "packages", "app");
  const parts = path.join(workspace, "packages", "email-parts");
  await mkdir(path.join(app, "src"), { recursive: true });
  await mkdir(parts, { recursive: true });
  await writeJson(path.join(parts, "package.json"), {
    name: "email-parts",
    version: "1.0.0",
    type: "module",
    exports: "./money.ts",
  });
  await writeFile(
    path.join(parts, "money.ts"),
    `export const money = (amount: number): string => \`$\${amount.toFixed(2)}\`;\n`,
  );
  const peers = ["mjml@5", "rolldown@1", "@photostructure/sqlite@1", "zod@4"].map(parseSpec);
  await writeJson(path.join(app, "package.json"), {
    name: "app",
    version: "1.0.0",
    type: "module",
    dependencies: { lettershop: `file:${tarball}`, "email-parts": "1.0.0", ...Object.fromEntries(peers) },
    devDependencies: Object.fromEntries(tools.map(parseSpec)),
  });
  npm(workspace, "install", "--install-strategy=linked");
  templates(app, "init", "--mjml", "--no-install");
  await writeFile(
    path.join(app, "templates/receipt/variables.ts"),
    `import { money } from "email-parts";\n${await readFile(path.join(app, "templates/receipt/variables.ts"), "utf8")}\nexport const parts = money;\n`,
  );
  await useInTypeScript(app, "NodeNext");
});

await attempt("an application's tests under Jest", async () => {
  const app = await emptyApp("jest app", { type: "module" });
  npm(app, "install", tarball, "jest@30", "@photostructure/sqlite@1");
  await cp(path.join(root, "examples/jest"), app, { recursive: true });
  run(app, process.execPath, ["--experimental-vm-modules", "node_modules/jest/bin/jest.js"]);
});

await attempt("an Express application in two processes, and its tests under vitest", async () => {
  const app = await exampleApp("express app", "express", ["express@5", "@types/express@5", "vitest@4"]);
  run(app, process.execPath, [path.join("node_modules", "typescript", "bin", "tsc"), "-p", "test"]);
  run(app, process.execPath, [path.join("node_modules", "vitest", "vitest.mjs"), "run"]);
  await useExpressApp(app);
});

await attempt("a serverless handler, and its tests under Jest", async () => {
  const app = await exampleApp("serverless app", "serverless", ["jest@30"]);
  run(app, process.execPath, ["--experimental-vm-modules", "node_modules/jest/bin/jest.js"]);
});

await attempt("a folder of React Email files taken over by init --from", async () => {
  const app = await emptyApp("taken over", { type: "module" });
  await cp(path.join(root, "examples/react-email"), app, { recursive: true });
  npm(app, "install", tarball);
  templates(app, "init", "--from", "emails");
  templates(app, "build", "--out", "out");
  await stat(path.join(app, "out/order-confirmation/body.html"));
});

await rm(folder, { recursive: true, force: true });
const failed = results.filter(({ error }) => error !== undefined);
for (const { name, error } of failed) console.error(`✗ ${name}: ${error.message}`);
if (report)
  await writeJson(report, {
    numPassedTests: results.length - failed.length,
    numFailedTests: failed.length,
    success: failed.length === 0,
  });
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function attempt(name, body) {
  console.log(`• ${name}`);
  try {
    await body();
    results.push({ name });
  } catch (error) {
    results.push({ name, error });
  }
}

async function pack() {
  const { stdout } = run(root, "npm", ["pack", "--silent", "--pack-destination", folder]);
  return path.join(folder, stdout.trim().split("\n").at(-1));
}

async function emptyApp(name, manifest) {
  const app = path.join(folder, name);
  await mkdir(app);
  await writeJson(path.join(app, "package.json"), { name: name.replaceAll(" ", "-"), private: true, ...manifest });
  return app;
}

/** An example with its registry, compiled. */
async function exampleApp(name, example, packages) {
  const app = await emptyApp(name, { type: "module" });
  await cp(path.join(root, "examples", example), app, { recursive: true });
  npm(app, "install", tarball, "mjml@5", "rolldown@1", "@photostructure/sqlite@1", ...tools, ...packages);
  templates(app, "types", "--bodies");
  run(app, process.execPath, [path.join("node_modules", "typescript", "bin", "tsc"), "-p", "."]);
  return app;
}

/** Two processes take orders; both are told to stop, and every receipt was sent once. */
async function useExpressApp(app) {
  const service = await startService(app, "--no-limits");
  try {
    templates(app, "sync", "--env", "local");
    const servers = [await startServer(app), await startServer(app)];
    const numbers = ["A-1", "A-2", "A-3", "A-4"];
    for (const [index, number] of [...numbers, ...numbers].entries()) {
      const order = { number, customerName: "Ada", items: [{ name: "Tea", quantity: 2, unitPrice: 450 }] };
      const status = await post(`${servers[index % 2].url}/orders`, { order, email: "ada@example.com" });
      if (status !== (index < numbers.length ? 201 : 200)) throw new Error(`Order ${number} was answered ${status}.`);
    }
    const health = async () => (await fetch(`${servers[0].url}/health`)).json();
    for (let tries = 0; (await health()).queued > 0; tries += 1) {
      if (tries === 300) throw new Error(`Not all were sent: ${JSON.stringify(await health())}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const server of servers) await server.stop();
    const { logs } = JSON.parse(templates(app, "logs", "--env", "local", "--json").stdout);
    const subjects = logs.map(({ subject }) => subject).toSorted();
    const wanted = numbers.map((number) => `Receipt for order ${number}`);
    if (JSON.stringify(subjects) !== JSON.stringify(wanted)) throw new Error(`The log has ${subjects.join(", ")}.`);
  } finally {
    await service.stop();
  }
}

async function startServer(app) {
  const child = spawn(process.execPath, ["dist/main.js"], {
    cwd: app,
    env: { ...env, LETTERSHOP_ENV: "local", PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Listening at (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    return {
      url,
      async stop() {
        child.kill("SIGTERM");
        const code = await ended;
        if (code !== 0) throw new Error(`The server ended with ${code}.`);
      },
    };
  }
  throw new Error("The server did not start.");
}

async function post(url, body) {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

/** The way from the README: build, types, sync, a typed send; and what must not compile does not. */
async function useInTypeScript(app, module) {
  templates(app, "build");
  templates(app, "check");
  templates(app, "types");
  await writeJson(path.join(app, "tsconfig.json"), {
    compilerOptions: {
      target: "ES2023",
      module: "NodeNext",
      types: ["node"],
      strict: true,
      noUncheckedIndexedAccess: true,
      isolatedModules: true,
      rootDir: "src",
      outDir: "dist",
      skipLibCheck: false,
    },
    include: ["src"],
  });
  const fixture = await readFile(path.join(app, "templates/receipt/fixtures/default.json"), "utf8");
  const source = (variables) =>
    `import { createMailer } from "lettershop/send";\nimport { templates } from "./templates.gen${module === "CommonJS" ? "" : ".js"}";\n\nconst mailer = createMailer({ templates, environment: "local", from: "receipts" });\nvoid mailer.send("receipt", ${variables}, { to: "ada@example.com" }).then(async ({ id, messageId }) => {\n  console.log(id, messageId);\n  await mailer.close();\n});\n`;
  const tsc = path.join("node_modules", "typescript", "bin", "tsc");
  const compiler = await stat(path.join(app, tsc)).then(
    () => path.join(app, tsc),
    () => path.join(app, "..", "..", tsc),
  );
  await writeFile(path.join(app, "src/main.ts"), source("{ unknown: 1 }"));
  const wrong = spawnSync(process.execPath, [compiler, "-p", "."], { cwd: app, env, encoding: "utf8" });
  if (wrong.status === 0 || !wrong.stdout.includes("src/main.ts"))
    throw new Error(`Wrong variables compile: ${wrong.stdout}`);
  await writeFile(path.join(app, "src/main.ts"), source(fixture.trim()));
  run(app, process.execPath, [compiler, "-p", "."]);

  const service = await startService(app);
  try {
    templates(app, "sync", "--env", "local");
    const { stdout } = run(app, process.execPath, ["dist/main.js"]);
    const [id] = stdout.trim().split(" ");
    const { logs } = JSON.parse(templates(app, "logs", "--env", "local", "--json").stdout);
    if (logs.length !== 1 || logs[0].id !== id) throw new Error(`The log has ${JSON.stringify(logs)}, not ${id}.`);
  } finally {
    await service.stop();
  }
}

/** The page comes from the package, as a server and as files; what pictures need is said. */
async function usePreview(app) {
  templates(app, "preview", "build", "--out", "copy");
  await stat(path.join(app, "copy", "data", "templates", "receipt.js"));
  const shot = spawnSync(process.execPath, [command(app), "preview", "shot", "--out", "pictures"], {
    cwd: app,
    env,
    encoding: "utf8",
  });
  if (shot.status !== 2 || !shot.stderr.includes("npm install --save-dev playwright-core"))
    throw new Error(`Pictures without a browser end with ${shot.status}: ${shot.stderr}`);

  const child = spawn(process.execPath, [command(app), "preview", "--port", "0"], {
    cwd: app,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Preview at (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    const page = await (await fetch(url)).text();
    const { templates: listed } = await (await fetch(new URL("api/project", url))).json();
    child.kill("SIGINT");
    if (!page.includes("app.js") || listed.length !== 6) throw new Error(`The preview has ${listed.length} templates.`);
    break;
  }
  const code = await ended;
  if (code !== 0) throw new Error(`The preview ended with ${code}.`);
}

async function startService(app, ...flags) {
  const child = spawn(process.execPath, [command(app), "service", ...flags], {
    cwd: app,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith("Local service at")) break;
  return {
    stop: async () => {
      child.kill("SIGINT");
      const code = await ended;
      if (code !== 0) throw new Error(`The local service ended with ${code}.`);
    },
  };
}

async function expectHelp(app) {
  const { stdout } = templates(app, "--help");
  if (!stdout.includes("Usage: templates COMMAND")) throw new Error(stdout);
}

function command(app) {
  return path.join(app, "node_modules", "lettershop", "dist", "cli", "main.js");
}

function templates(app, ...args) {
  return run(app, process.execPath, [command(app), ...args]);
}

function npm(app, ...args) {
  return run(app, "npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"]);
}

function run(cwd, file, args) {
  const done = spawnSync(file, args, {
    cwd,
    env,
    encoding: "utf8",
    shell: process.platform === "win32" && file === "npm",
  });
  if (done.status !== 0)
    throw new Error(
      `${path.basename(file)} ${args.join(" ")} ended with ${done.status ?? done.signal}:\n${done.stdout}\n${done.stderr}`,
    );
  return done;
}

function parseSpec(spec) {
  const at = spec.lastIndexOf("@");
  return [spec.slice(0, at), `^${spec.slice(at + 1)}`];
}

async function writeJson(file, value) {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

async function sizeOf(directory) {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { blocks, size } = await stat(path.join(entry.parentPath, entry.name));
    bytes += blocks === undefined ? size : blocks * 512;
  }
  return bytes;
}
