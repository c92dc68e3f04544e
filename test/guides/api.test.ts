import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeFolder, repository, write } from "../registry/templates.js";
import { compile } from "../types/application.js";
import { serveDocumented } from "../api/documented-service.js";

const guide = readFileSync(path.join(repository, "docs/guides/api.md"), "utf8");

test("the guide's examples compile and run, one after the other", async () => {
  const { url, seen } = await serveDocumented();
  const code = [...guide.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block = ""]) => block).join("\n");
  const folder = await makeFolder();
  for (const name of ["@types", "undici"])
    await symlink(path.join(repository, "node_modules", name), path.join(folder, "node_modules", name), "junction");
  await write(folder, {
    "package.json": JSON.stringify({ name: "application", private: true, type: "module" }),
    "node_modules/lettershop/package.json": JSON.stringify({
      name: "lettershop",
      type: "module",
      exports: { "./api": { types: "./dist/api/index.d.ts", default: "./dist/api/index.js" } },
    }),
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "ES2023",
        module: "NodeNext",
        strict: true,
        skipLibCheck: true,
        types: ["node"],
        rootDir: "src",
        outDir: "out",
      },
      include: ["src"],
    }),
    "src/guide.ts": code.replaceAll("https://api.example.com", url),
  });
  await symlink(path.join(repository, "dist"), path.join(folder, "node_modules/lettershop/dist"), "junction");
  expect(await compile({ folder })).toEqual([]);

  const { status, printed } = await run(path.join(folder, "out/guide.js"));
  expect(printed).toContain("No such domain: No such domain");
  expect(printed).toContain("GET /account 1 200");
  expect(status).toBe(0);
  expect(seen.length).toBeGreaterThan(50);
});

/** Runs a program while this process keeps responding to it. */
async function run(file: string): Promise<{ status: number | null; printed: string }> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, MAIL_API_KEY: "key-of-the-test" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { status, printed };
}
