import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { repository } from "../registry/templates.js";

/** Records each module as it is loaded. */
const loader = `
import { appendFileSync } from "node:fs";
let log;
export const initialize = (file) => void (log = file);
export function load(url, context, next) {
  appendFileSync(log, url + "\\n");
  return next(url, context);
}`;

const application = `
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
const step = (name) => appendFileSync(process.argv[2], "# " + name + "\\n");
const { createMailer } = await import(process.argv[3]);
const server = createServer((_, response) => response.end('{"id":"1.a","message_id":"<1>"}')).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const entry = { hash: "", subject: "Hi", contract: { input: { type: "object" }, conditions: [] } };
const templates = { environments: {}, templates: { hello: entry } };
const mailer = createMailer({ templates, url: "http://127.0.0.1:" + server.address().port, domain: "example.com", apiKey: "key-of-the-test", from: "shop" });
await mailer.send("hello", {}, { to: "nobody" }).catch((error) => step(error.code));
await mailer.send("hello", {}, { to: "ada@example.com" });
step("sent");
await mailer.send("hello", {}, { to: "bob@example.com" });
await mailer.send("hello", {}, { to: "ada@example.com", attachments: [{ filename: "a.txt", content: "eA==" }] });
step("sent with an attachment");
await mailer.close();
server.close();
`;

test("loads no package for sending", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "letter shop-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [log, start] = [path.join(folder, "loaded.txt"), path.join(folder, "start.mjs")];
  await writeFile(path.join(folder, "loader.mjs"), loader);
  await writeFile(
    start,
    `import { register } from "node:module"; register("./loader.mjs", import.meta.url, { data: ${JSON.stringify(log)} });`,
  );
  await writeFile(path.join(folder, "application.mjs"), application);
  const door = pathToFileURL(path.join(repository, "dist", "send", "index.js")).href;
  await promisify(execFile)(process.execPath, [
    "--import",
    pathToFileURL(start).href,
    path.join(folder, "application.mjs"),
    log,
    door,
  ]);

  const steps = (await readFile(log, "utf8")).split(/^# (?:.*)$/m);
  const packages = steps.map(
    (loaded) =>
      new Set(
        Array.from(
          loaded.matchAll(/(?:node_modules\/((?:@[^/]+\/)?[^/\n]+)|dist\/bundled\/([^/\n]+)\.js)/g),
          ([, installed, bundled]) => installed ?? bundled,
        ),
      ),
  );
  expect(packages).toEqual(steps.map(() => new Set()));
});
