import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildCommonJs, copyDeclarations } from "../scripts/build-commonjs.mjs";
import { link, makeFolder } from "./process/folder.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

interface Door {
  readonly types?: string;
  readonly default?: string;
  readonly require?: { readonly types: string; readonly default: string };
}
const doors = Object.entries<Door>(manifest.exports).filter(([, { types }]) => types !== undefined);

test("TypeScript's node10 resolution, which does not read exports, finds the types of each of them", () => {
  const named = doors.filter(([name]) => name !== ".").map(([name, { types }]) => [name.slice("./".length), [types]]);
  expect(manifest.typesVersions).toEqual({ "*": Object.fromEntries(named) });
  expect(manifest.types).toBe(manifest.exports["."].types);
});

test("Node always loads the ES module; the CommonJS build is next to it", () => {
  const both = doors.filter(([, door]) => door.require !== undefined);
  expect(both.map(([name]) => name)).toEqual([
    "./send",
    "./smtp",
    "./postgres",
    "./api",
    "./testing",
    "./testing/jest",
    "./react",
    "./config",
  ]);
  for (const [name, door] of both) {
    expect(Object.keys(door), name).toEqual(["module-sync", "require", "types", "default"]);
    expect(door, name).toMatchObject({
      "module-sync": door.default,
      require: { types: door.types?.replace(".d.ts", ".d.cts"), default: door.default?.replace(".js", ".cjs") },
    });
  }
});

const useBoth = `
const { createMailer, SendError } = require("./dist/send/index.cjs");
const { startLocalService } = require("./dist/testing/index.cjs");
const { createClient } = require("./dist/api/index.cjs");

async function main() {
  const service = await startLocalService();
  const mailer = createMailer({ from: "shop", ...service.mailerOptions, store: "mail.db" });
  const client = createClient({ apiKey: service.apiKey, baseUrl: service.url });
  // It is compiled in a worker, which is a file of the package.
  const config = { expression: 'message.subject == "Hello"', forward: "grace@example.com" };
  await client.rules.create(service.domain, { type: "cel", config });
  await mailer.queueMessage({ to: "ada@example.com", subject: "Hello", text: "Hello Ada" });
  await mailer.work().idle();
  console.log((await service.inbox.waitFor({ to: "ada@example.com" })).subject);
  const error = await mailer.sendMessage({ to: "ada", subject: "Hello", text: "Hello" }).catch((reason) => reason);
  console.log(error instanceof SendError, error.name);
  await client.close();
  await mailer.close();
  await service.close();
}

main();
`;

test("the CommonJS build runs where ES modules can't be required", async () => {
  const folder = await makeFolder({ "main.cjs": useBoth });
  await link(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  // Workers are resolved in the package.
  const dist = path.join(root, "dist");
  await buildCommonJs({ exports: manifest.exports, dist, to: path.join(folder, "dist") });
  const ran = spawnSync(process.execPath, ["--no-experimental-require-module", "main.cjs"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(ran).toMatchObject({ status: 0, stdout: "Hello\ntrue InvalidMessageError\n" });
});

test("declarations are copied with their imports, and examples in comments stay unchanged", async () => {
  const dist = await makeFolder({
    "send/index.d.ts": `import { t as Sent } from "../types-1.js";\n/**\n * import { a } from "./a.js";\n */\nexport { Sent };\n`,
    "types-1.d.ts": `import { z } from "zod";\nexport { z as t };\n`,
    "other.d.ts": "export {};\n",
  });
  const types = "./dist/send/index.d.ts";
  const exports = { "./send": { require: {}, types, default: "" }, "./other": { types: "./dist/other.d.ts" } };
  await copyDeclarations({ exports, dist });
  const copied = (name: string) => readFileSync(path.join(dist, name), "utf8");
  expect(copied("send/index.d.cts")).toBe(copied("send/index.d.ts").replace("types-1.js", "types-1.cjs"));
  expect(copied("types-1.d.cts")).toBe(copied("types-1.d.ts"));
  expect(() => copied("other.d.cts")).toThrow("ENOENT");
});
