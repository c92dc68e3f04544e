// The example application on Next.js, built by each of its bundlers and run from its standalone output.
import { readFile, rename } from "node:fs/promises";
import path from "node:path";
import { folder, startServer } from "./app.mjs";
import { expectInLog, runInstalled, withoutModules } from "./sending-apps.mjs";

const builds = [
  { bundler: "turbopack", flags: [] },
  { bundler: "webpack", flags: ["--webpack"] },
];

/**
 * @param {import("./attempts.mjs").Attempts} attempts
 * @param {import("./sending-apps.mjs").SendingApps} apps
 */
export async function tryNext(attempts, apps) {
  for (const { bundler, flags } of builds) {
    let built;
    const standalone = () => (built ??= build(apps, bundler, flags));
    await attempts.attempt(`Next.js with ${bundler}: a build`, async () => void (await standalone()));

    const sends = {
      "a route handler": sendByRoute,
      "a server action, from a form without JavaScript": sendByAction,
      "a route handler with a store, on Node 20": sendByStore,
    };
    for (const [what, send] of Object.entries(sends))
      await attempts.attempt(`Next.js with ${bundler}: ${what}`, async () => {
        const directory = await standalone().catch(() => {
          throw new Error("Skipped, because the build failed.");
        });
        const services = await apps.services();
        await withoutModules(await apps.next(), async () => {
          const server = await startServer(directory, ["server.js"], /Local:\s+(http:\S+)/, {
            file: services.runtimes[20],
            variables: { ...services.variables, PORT: "0", HOSTNAME: "127.0.0.1", MAIL_STORE: "data/mail.db" },
          });
          try {
            await send(server.url, services, bundler);
          } finally {
            await server.kill();
          }
        });
      });
  }
}

/** Builds the application and moves the standalone output out of it. */
async function build(apps, bundler, flags) {
  const app = await apps.next();
  await runInstalled(app, "next", ["build", ...flags], { variables: { NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1" } });
  const directory = path.join(folder, `next ${bundler}`);
  await rename(path.join(app, ".next/standalone"), directory);
  const route = path.join(directory, ".next/server/app/api/send/route.js");
  console.log(`  ${(await sizeOfRoute(route)).toFixed(1)} kB for the route that sends, including the code of Next.js`);
  return directory;
}

/** The size in kB of a route's own files and chunks, without node_modules. */
async function sizeOfRoute(route) {
  const { files } = JSON.parse(await readFile(`${route}.nft.json`, "utf8"));
  const chunks = files.filter((file) => file.endsWith(".js") && !file.includes("node_modules"));
  const sizes = [route, ...chunks.map((file) => path.resolve(path.dirname(route), file))].map(
    async (file) => (await readFile(file)).length,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
}

async function sendByRoute(url, services, bundler) {
  const email = `next-${bundler}-route@example.com`;
  const { status, body } = await post(`${url}/api/send`, email);
  if (status !== 202) throw new Error(`The route responded with ${status}: ${body}`);
  await expectInLog(services, email, JSON.parse(body).id);
  const refused = await post(`${url}/api/send`, "ada");
  if (refused.status !== 400 || refused.body !== '{"error":"invalid_message"}')
    throw new Error(`The route responded to an invalid address with ${refused.status}: ${refused.body}`);
}

async function sendByStore(url, services, bundler) {
  const email = `next-${bundler}-store@example.com`;
  const { status, body } = await post(`${url}/api/queue`, email);
  if (status !== 202) throw new Error(`The route responded with ${status}: ${body}`);
  await expectInLog(services, email);
}

async function post(url, email) {
  const body = JSON.stringify({ email, name: "Ada", order: { number: "A-1042" } });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return { status: response.status, body: await response.text() };
}

/** Submits the page's form like a browser without JavaScript: with the hidden fields that name the action. */
async function sendByAction(url, services, bundler) {
  const page = await (await fetch(url)).text();
  const [, fields] = /<form[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
  if (fields === undefined) throw new Error(`The page has no form: ${page.slice(0, 500)}`);
  const form = new FormData();
  for (const [, name, value = ""] of fields.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g))
    form.set(name, value);
  const email = `next-${bundler}-action@example.com`;
  form.set("email", email);
  form.set("number", "A-1042");
  const response = await fetch(url, { method: "POST", headers: { origin: url }, body: form });
  if (!response.ok)
    throw new Error(`The response to the form was ${response.status}: ${(await response.text()).slice(0, 500)}`);
  await expectInLog(services, email);
}
