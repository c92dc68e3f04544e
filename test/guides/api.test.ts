import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeFolder, repository } from "../registry/templates.js";
import { compile } from "../types/application.js";
import { serveDocumented } from "../api/documented-service.js";
import { run, writeApplication } from "./application.js";

const guide = readFileSync(path.join(repository, "docs/guides/api.md"), "utf8");

test("the guide's examples compile and run, one after the other", async () => {
  const { url, seen } = await serveDocumented();
  const code = [...guide.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block = ""]) => block).join("\n");
  const folder = await makeFolder();
  await writeApplication(folder, { files: { "src/guide.ts": code.replaceAll("https://api.example.com", url) } });
  expect(await compile({ folder })).toEqual([]);

  const { status, printed } = await run(folder, "out/guide.js", { MAIL_API_KEY: "key-of-the-test" });
  expect(printed).toContain("No such domain: No such domain");
  expect(printed).toContain("GET /account 1 200");
  expect(status).toBe(0);
  expect(seen.length).toBeGreaterThan(50);
});
