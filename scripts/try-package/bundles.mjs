// The example application, bundled by each bundler and unbundled, sending on each runtime.
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { folder, npm, run, templates, writeJson } from "./app.mjs";
import { bundles, deno, schemaBundle, storeBundles } from "./bundle-commands.mjs";
import { expectInLog, nodeVersions, runInstalled, withoutModules } from "./sending-apps.mjs";

/** The maximum size of a minified bundle that sends one template, including 35 kB that only templates with computed values load. */
const LIMIT_KB = 305;

/** Nothing listens on this port, because it is reserved. */
const UNREACHABLE = "http://127.0.0.1:1";

/**
 * @param {import("./attempts.mjs").Attempts} attempts
 * @param {import("./sending-apps.mjs").SendingApps} apps
 */
export async function tryBundles(attempts, apps) {
  const prepare = async () => {
    const [app, services] = await Promise.all([apps.bundlers(), apps.services()]);
    return { app, services };
  };
  const built = new Map();
  const build = ({ app, services }, { out, command }) => {
    const [name, ...args] = command.split(" ");
    if (!built.has(out))
      built.set(out, name === "bun" ? run(app, services.runtimes.bun, args) : runInstalled(app, name, args));
    return built.get(out);
  };

  for (const bundle of bundles)
    await attempts.attempt(`a bundle by ${bundle.name}`, async () => {
      const { app, services } = await prepare();
      await build({ app, services }, bundle);
      const kilobytes = await printSize(path.join(app, bundle.out));
      const deployed = await deploy(path.join(app, bundle.out), `bundle by ${bundle.name}`);
      const problems =
        kilobytes > LIMIT_KB
          ? [`The bundle is ${kilobytes.toFixed(0)} kB; the limit is ${LIMIT_KB.toFixed(0)} kB.`]
          : [];
      await withoutModules(app, () => expectResponses(deployed, services, bundle.runtime ?? 20)).catch((error) =>
        problems.push(error.message),
      );
      if (problems.length > 0) throw new Error(problems.join(" "));
    });

  for (const version of [22, 24])
    await attempts.attempt(`a bundle by esbuild to CommonJS, on Node ${version}`, async () => {
      const { app, services } = await prepare();
      await build({ app, services }, bundles[0]);
      const deployed = await deploy(path.join(app, bundles[0].out), `bundle on Node ${version}`);
      await withoutModules(app, () => expectResponses(deployed, services, version));
    });

  await attempts.attempt("a bundle of a template with its own schema", async () => {
    const { app, services } = await prepare();
    await addOwnSchema(app);
    await build({ app, services }, schemaBundle);
    await printSize(path.join(app, schemaBundle.out));
    const deployed = await deploy(path.join(app, schemaBundle.out), "bundle with a schema");
    await withoutModules(app, () => expectResponses(deployed, services, 20));
  });

  for (const bundle of storeBundles)
    await attempts.attempt(`a bundle by ${bundle.name} with a store, on Node ${nodeVersions.join(", ")}`, async () => {
      const { app, services } = await prepare();
      await build({ app, services }, bundle);
      for (const version of nodeVersions) {
        const deployed = await deploy(path.join(app, bundle.out), `store by ${bundle.name} on Node ${version}`);
        if (version === 20) await npm(deployed.directory, "install", "--prefix", ".", "@photostructure/sqlite@1");
        await withoutModules(app, () => expectQueued(deployed, services, version));
      }
    });

  const unbundled = [...[22, 24].map((version) => [version, `Node ${version}`]), ["bun", "Bun"], ["deno", "Deno"]];
  for (const [runtime, name] of unbundled)
    await attempts.attempt(`no bundle, on ${name}`, async () => {
      const { app, services } = await prepare();
      // Bun runs TypeScript, and resolves `.js` to it.
      const directory = path.join(app, runtime === "bun" ? "src" : "dist");
      const handler = await writeCaller(directory, "handler.js");
      await expectResponses({ directory, caller: handler, name: `unbundled on ${name}` }, services, runtime);
      const outbox = await writeCaller(directory, "outbox.js");
      await expectQueued({ directory, caller: outbox, name: `unbundled store on ${name}` }, services, runtime);
      await expectNoRetry(directory, services, runtime);
    });
}

/** Two messages over one connection, which breaks before the second response. A runtime must not retry on its own. */
const twoMessages = `import { createMailer } from "lettershop/send";
const mailer = createMailer({ url: process.argv[2], domain: "example.test", apiKey: "key-of-the-trial", from: "shop" });
const send = (to) => mailer.sendMessage({ to, subject: "Hi", text: "Hi", maxWait: 0 }).then(() => "sent", ({ code }) => code);
const first = await send("ada@example.com");
// Wait until the mailer's background requests are finished and the connection is free again.
await new Promise((resolve) => setTimeout(resolve, 1000));
console.log(first, await send("bob@example.com"));
process.exit();
`;

async function expectNoRetry(directory, services, runtime) {
  const script = path.join(directory, "two-messages.mjs");
  await writeFile(script, twoMessages);
  const used = new WeakSet();
  let posts = 0;
  const server = createServer(({ method, socket }, response) => {
    const isPost = method === "POST";
    if (isPost) posts += 1;
    if (isPost && used.has(socket)) {
      socket.destroy();
      return;
    }
    used.add(socket);
    response.writeHead(isPost ? 200 : 404, { "content-type": "application/json" });
    response.end('{"id":"1.a","message_id":"<1@example.test>","message":"Not found.","errors":{}}');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const flags = runtime === "deno" ? deno.split(" ").slice(1) : [];
  const args = [...flags, script, `http://127.0.0.1:${server.address().port}`];
  const { stdout } = await run(directory, services.runtimes[runtime], args);
  server.close();
  if (posts !== 2 || stdout.trim() !== "sent unknown_outcome") throw new Error(`${posts} requests for: ${stdout}`);
}

/** Prints the size of all JavaScript in a folder and returns it in kB. */
async function printSize(directory) {
  let bytes = 0;
  let gzipped = 0;
  for (const name of await readdir(directory, { recursive: true })) {
    if (!/\.[cm]?js$/.test(name)) continue;
    const code = await readFile(path.join(directory, name));
    bytes += code.length;
    gzipped += gzipSync(code).length;
  }
  console.log(`  ${(bytes / 1000).toFixed(1)} kB, ${(gzipped / 1000).toFixed(1)} kB with gzip`);
  return bytes / 1000;
}

/** Copies a bundle to an empty folder outside its application and adds a script that calls its handler. */
async function deploy(out, name) {
  const directory = path.join(folder, name);
  await cp(out, directory, { recursive: true });
  const names = await readdir(directory);
  const entry = names.find((each) => /^index\.[cm]js$/.test(each));
  if (entry === undefined) throw new Error(`There is no index file among ${names.join(", ")}.`);
  return { directory, caller: await writeCaller(directory, entry), name };
}

/** Writes a script that calls the handler with the event in its argument and prints the response. */
async function writeCaller(directory, entry) {
  const load = entry.endsWith(".cjs")
    ? `const { handler } = require("./${entry}");`
    : `import { handler } from "./${entry}";`;
  const caller = `call-${entry}`;
  await writeFile(
    path.join(directory, caller),
    `${load}\nhandler({ body: process.argv[2] }).then((response) => console.log(JSON.stringify(response)));\n`,
  );
  return caller;
}

/** Writes a second copy of the application whose template has a schema. */
async function addOwnSchema(app) {
  const own = path.join(app, "own-schema");
  await mkdir(path.join(own, "src"), { recursive: true });
  await writeJson(path.join(own, "package.json"), { name: "own-schema", private: true, type: "module" });
  await cp(path.join(app, "src/handler.ts"), path.join(own, "src/handler.ts"));
  await cp(path.join(app, "templates"), path.join(own, "templates"), { recursive: true });
  await writeFile(
    path.join(own, "templates/order-shipped/variables.ts"),
    `import { z } from "zod";\n\nexport default z.object({ name: z.string(), order: z.object({ number: z.string().min(1) }) });\n`,
  );
  await templates(app, "types", "--cwd", own);
}

/**
 * Calls the handler three times: one message is sent, and two fail with errors that the handler recognises by their class and
 * code.
 */
async function expectResponses(deployed, services, runtime) {
  const unreachable = { LETTERSHOP_URL: UNREACHABLE };
  const outcomes = await Promise.allSettled([
    expectSent(deployed, services, runtime),
    expectError(deployed, services, runtime, { email: "ada" }, 400, "invalid_message"),
    expectError(deployed, services, runtime, { variables: unreachable }, 503, "unreachable"),
  ]);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
}

async function expectSent(deployed, services, runtime) {
  const { id, email } = await expectAccepted(deployed, services, runtime);
  await expectInLog(services, email, id);
}

/** The outbox assigns its own ID to a message, so the message is identified by its recipient. */
async function expectQueued(deployed, services, runtime) {
  const { email } = await expectAccepted(deployed, services, runtime);
  await expectInLog(services, email);
}

async function expectAccepted(deployed, services, runtime) {
  const email = `${deployed.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}@example.com`;
  const { statusCode, body } = await call(deployed, services, runtime, { email });
  if (statusCode !== 202) throw new Error(`The response to a valid message was ${statusCode}: ${body}`);
  return { id: JSON.parse(body).id, email };
}

async function expectError(deployed, services, runtime, event, statusCode, code) {
  const response = JSON.stringify(await call(deployed, services, runtime, event));
  const expected = JSON.stringify({ statusCode, body: JSON.stringify({ error: code }) });
  if (response !== expected) throw new Error(`Expected ${expected}, got ${response}.`);
}

async function call({ directory, caller }, services, runtime, { email = "ada@example.com", variables = {} }) {
  const event = JSON.stringify({ email, name: "Ada", order: { number: "A-1042" } });
  const flags = runtime === "deno" ? deno.split(" ").slice(1) : [];
  const { stdout } = await run(directory, services.runtimes[runtime], [...flags, caller, event], {
    variables: { ...services.variables, ...variables },
  });
  return JSON.parse(stdout);
}
