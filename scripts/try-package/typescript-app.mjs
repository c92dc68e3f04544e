import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { node, run, startService, templates, writeJson } from "./app.mjs";

/** Follows the README: build, types, sync, a typed send. Invalid variables must not compile. */
export async function useInTypeScript(app, module) {
  await templates(app, "build");
  await templates(app, "check");
  await templates(app, "types");
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
  const wrong = await run(app, process.execPath, [compiler, "-p", "."], { mayFail: true });
  if (wrong.status === 0 || !wrong.stdout.includes("src/main.ts"))
    throw new Error(`Invalid variables compile: ${wrong.stdout}`);
  await writeFile(path.join(app, "src/main.ts"), source(fixture.trim()));
  await node(app, compiler, "-p", ".");

  const service = await startService(app);
  try {
    await templates(app, "sync", "--env", "local");
    const { stdout } = await node(app, "dist/main.js");
    const [id] = stdout.trim().split(" ");
    const { logs } = JSON.parse((await templates(app, "logs", "--env", "local", "--json")).stdout);
    if (logs.length !== 1 || logs[0].id !== id) throw new Error(`The log has ${JSON.stringify(logs)}, not ${id}.`);
  } finally {
    await service.stop();
  }
}
