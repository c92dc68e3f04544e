// The size of an installation, and unbundled use of the package.
import { chmod, cp, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  commandOf,
  compiledExample,
  copyExample,
  diskUsage,
  emptyApp,
  folder,
  node,
  npm,
  run,
  startServer,
  startService,
  templates,
  typescript,
  writeJson,
} from "./app.mjs";
import { useExpressApp } from "./express-app.mjs";
import { useInTypeScript } from "./typescript-app.mjs";

const jest = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js"];

/**
 * @param {import("./attempts.mjs").Attempts} attempts
 * @param {string} tarball
 */
export async function tryInstalls(attempts, tarball) {
  await attempts.attempt("a production install that only sends stays under 17.5 MB", async () => {
    const app = await emptyApp("only sends", { type: "module" });
    await npm(app, "install", "--omit=dev", tarball);
    const megabytes = (await diskUsage(path.join(app, "node_modules"))) / 1e6;
    console.log(`  ${megabytes.toFixed(1)} MB`);
    if (megabytes >= 17.5) throw new Error(`It takes ${megabytes.toFixed(1)} MB.`);
  });

  await attempts.attempt("an ESM application in TypeScript with rootDir: src", async () => {
    const app = await emptyApp("esm app", { type: "module" });
    await npm(app, "install", tarball);
    const { stdout } = await templates(app, "--help");
    if (!stdout.includes("Usage: templates COMMAND")) throw new Error(stdout);
    await templates(app, "init", "--mjml", "--react");
    await npm(app, "install", "--save-dev", ...typescript);
    await mkdir(path.join(app, "src"));
    await useInTypeScript(app, "NodeNext");
    await usePreview(app);
  });

  await attempts.attempt("a CommonJS application with require", async () => {
    const app = await emptyApp("commonjs app", {});
    await npm(app, "install", tarball);
    await templates(app, "init", "--mjml");
    await npm(app, "install", "--save-dev", ...typescript);
    await mkdir(path.join(app, "src"));
    await useInTypeScript(app, "CommonJS");
    await writeFile(
      path.join(app, "plain.cjs"),
      `const { createMailer, SendError } = require("lettershop/send");\nif (typeof createMailer !== "function" || typeof SendError !== "function") process.exit(1);\n`,
    );
    await node(app, "plain.cjs");
  });

  await attempts.attempt("a workspace with symlinked packages, in pnpm's layout", async () => {
    const app = await installWorkspace(tarball);
    await templates(app, "init", "--mjml", "--no-install");
    const variables = path.join(app, "templates/receipt/variables.ts");
    await writeFile(
      variables,
      `import { money } from "email-parts";\n${await readFile(variables, "utf8")}\nexport const parts = money;\n`,
    );
    await useInTypeScript(app, "NodeNext");
  });

  await attempts.attempt("an application's tests under Jest", async () => {
    const app = await copyExample("jest", "jest app", { type: "module" });
    await npm(app, "install", tarball, "jest@30", "@photostructure/sqlite@1");
    await node(app, ...jest);
  });

  await attempts.attempt("a serverless handler, and its tests under Jest", async () => {
    const app = await compiledExample("serverless", "serverless app", tarball, ["jest@30"]);
    await node(app, ...jest);
  });

  await attempts.attempt("an Express application in two processes, and its tests under vitest", async () => {
    const packages = ["express@5", "@types/express@5", "vitest@4"];
    const app = await compiledExample("express", "express app", tarball, packages);
    await node(app, path.join("node_modules", "typescript", "bin", "tsc"), "-p", "test");
    await node(app, path.join("node_modules", "vitest", "vitest.mjs"), "run");
    await useExpressApp(app);
  });

  await attempts.attempt("two servers and two workers on one Postgres", async () => {
    const app = await copyExample("two-servers", "two servers", {});
    await npm(app, "install", tarball, "@photostructure/sqlite@1");
    // As root, Postgres runs as another user.
    await chmod(folder, 0o755);
    await node(app, "start.mjs", "4");
  });

  await attempts.attempt("a folder of React Email files imported by init --from", async () => {
    const app = await copyExample("react-email", "imported app", { type: "module" });
    await npm(app, "install", tarball);
    await templates(app, "init", "--from", "emails");
    await templates(app, "build", "--out", "out");
    await stat(path.join(app, "out/order-confirmation/body.html"));
  });

  await attempts.attempt("a build, synced from a folder that has only lettershop", () => syncBuild(tarball));
}

/** Builds a project, and syncs the build with versions 4 and 3 of the API from a folder without the project, as in the CI guide. */
async function syncBuild(tarball) {
  const app = await emptyApp("builds", { type: "module" });
  await npm(app, "install", tarball, "@photostructure/sqlite@1");
  const environment = { url: "https://api.example.com", domain: "mail.example.com" };
  const environments = { v4: environment, v3: { ...environment, version: "v3", namePrefix: "v3-" } };
  await writeJson(path.join(app, "lettershop.config.json"), { environments });
  await mkdir(path.join(app, "templates"));
  await writeFile(path.join(app, "templates/hello.html"), "<p>Hello {{name}}</p>");
  await templates(app, "build", "--out", "build");

  const job = path.join(folder, "job with the key");
  await cp(path.join(app, "build"), path.join(job, "build"), { recursive: true });
  await npm(job, "install", "--no-save", "--ignore-scripts", tarball);
  const service = await startService(app);
  const variables = { LETTERSHOP_URL: service.url, LETTERSHOP_DOMAIN: "example.test", LETTERSHOP_API_KEY: "local" };
  for (const version of Object.keys(environments)) {
    const sync = (...args) =>
      run(job, process.execPath, [commandOf(job), "sync", "--env", version, "--from", "build", ...args], { variables });
    await sync("--out", "sync.plan");
    const { stdout } = await sync("--plan", "sync.plan", "--yes");
    if (!stdout.includes("1 of 1 applied.")) throw new Error(stdout);
    await sync("--check");
  }
  await service.stop();
}

/** Installs a workspace with an application and a package that its templates import. Returns the application's folder. */
async function installWorkspace(tarball) {
  const workspace = await emptyApp("work space", { workspaces: ["packages/*"] }, { isShared: false });
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
    devDependencies: Object.fromEntries(typescript.map(parseSpec)),
  });
  await npm(workspace, "install", "--install-strategy=linked");
  return app;
}

function parseSpec(spec) {
  const at = spec.lastIndexOf("@");
  return [spec.slice(0, at), `^${spec.slice(at + 1)}`];
}

/** Runs the preview as a server and exports it as files. Without a browser, `preview shot` must say what to install. */
async function usePreview(app) {
  await templates(app, "preview", "build", "--out", "export");
  await stat(path.join(app, "export", "data", "templates", "receipt.js"));
  const shot = await run(app, process.execPath, [commandOf(app), "preview", "shot", "--out", "screenshots"], {
    mayFail: true,
  });
  if (shot.status !== 2 || !shot.stderr.includes("npm install --save-dev playwright-core"))
    throw new Error(`Without a browser, preview shot exited with ${shot.status}: ${shot.stderr}`);

  const preview = await startServer(app, [commandOf(app), "preview", "--port", "0"], /^Preview at (\S+)$/);
  try {
    const page = await (await fetch(preview.url)).text();
    const { templates: previewed } = await (await fetch(new URL("api/project", preview.url))).json();
    if (!page.includes("app.js") || previewed.length !== 6)
      throw new Error(`The preview has ${previewed.length} templates.`);
  } finally {
    await preview.stop("SIGINT");
  }
}
