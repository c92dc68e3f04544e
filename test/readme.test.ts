import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startService } from "../src/service/index.js";
import { TestProject } from "./cli/project.js";

const repository = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(path.join(repository, "README.md"), "utf8");

/** The files that the README shows: an address in backticks on its own line, then the content. */
const files = Object.fromEntries(
  [...readme.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([^]*?)```$/gm)].map(([, file, content]) => [file, content ?? ""]),
);

it("the README's template, sync and send work as shown", async () => {
  const project = new TestProject(files);
  project.write({
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "ES2023",
        module: "NodeNext",
        types: ["node"],
        typeRoots: [path.join(repository, "node_modules/@types")],
        strict: true,
        skipLibCheck: true,
        rootDir: "src",
        outDir: "dist",
      },
      include: ["src"],
    }),
  });
  const [, commands = ""] = /```sh\n(npx templates types\n[^]*?)```/.exec(readme) ?? [];
  const [types, service, sync] = commands
    .trim()
    .split("\n")
    .map((line) => line.replace(/^npx templates | &$/g, ""));
  expect([types, service, sync]).toEqual(["types", "service", "sync"]);

  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  const running = await startService({ data: project.path(".lettershop"), project: project.folder, port: 0 });
  onTestFinished(() => running.close());
  expect(await project.run(["sync"])).toMatchObject({ code: 0, stdout: expect.stringContaining("2 of 2 applied") });

  const compiler = [path.join(repository, "node_modules/typescript/bin/tsc"), "-p", ".", "--singleThreaded"];
  expect(spawnSync(process.execPath, compiler, { cwd: project.folder, encoding: "utf8" }).stdout).toBe("");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["dist/main.js"], { cwd: project.folder });
  expect(stderr).toBe("");
  const logs = await project.run(["logs", "--json"]);
  expect(JSON.parse(logs.stdout).logs).toMatchObject([
    { id: stdout.split(" ")[0], subject: "Order A-1042 is on its way" },
  ]);
});

it("shows the examples unchanged", () => {
  const excerpts = [...readme.matchAll(/^```ts\n\/\/ (examples\/\S+)\n([^]*?)```$/gm)];
  expect(excerpts.length).toBeGreaterThan(5);
  const unindented = (code: string) => code.replaceAll(/^ +/gm, "");
  for (const [, file = "", excerpt = ""] of excerpts)
    expect(unindented(readFileSync(path.join(repository, file), "utf8")), file).toContain(unindented(excerpt));
});
