// The applications that send from a bundle, the local service to which they send, and their runtimes.
import { rename } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { copyExample, node, npm, run, startService, templates } from "./app.mjs";

/** The Node versions for every test of a bundle. */
export const nodeVersions = [20, 22, 24];

const own = { isShared: false };

const ownVersion = Number(process.versions.node.split(".", 1)[0]);

/** Installs each application once, when the first attempt needs it. */
export class SendingApps {
  #tarball;
  #started;
  #bundlers;
  #next;

  constructor(tarball) {
    this.#tarball = tarball;
  }

  /** An application with all bundlers except Next.js, without the SQLite package. Its TypeScript is compiled to `dist`. */
  bundlers() {
    this.#bundlers ??= this.#installBundlers();
    return this.#bundlers;
  }

  /** An application on Next.js, with the SQLite package. */
  next() {
    this.#next ??= this.#installNext();
    return this.#next;
  }

  /** The local service with the templates of the applications, and the runtimes. */
  async services() {
    this.#started ??= this.#start();
    return this.#started;
  }

  async stop() {
    const started = await this.#started?.catch(() => undefined);
    await started?.service.stop();
  }

  async #start() {
    const app = await copyExample("bundled", "runtimes", { type: "module" }, own);
    const versions = nodeVersions.filter((version) => version !== ownVersion);
    const nodes = versions.map((version) => `node${version}@npm:node@${version}`);
    await npm(app, "install", this.#tarball, "@photostructure/sqlite@1", "bun@1", "deno@2", ...nodes);
    const installed = (...parts) => path.join(app, "node_modules", ...parts);
    const runtimes = {
      ...Object.fromEntries(versions.map((version) => [version, installed(`node${version}`, "bin", "node")])),
      [ownVersion]: process.execPath,
      bun: installed(".bin", "bun"),
      deno: installed(".bin", "deno"),
    };
    const service = await startService(app, "--no-limits");
    await templates(app, "sync", "--env", "local");
    /** The environment variables of a deployment. */
    const variables = { LETTERSHOP_URL: service.url, LETTERSHOP_DOMAIN: "example.test", LETTERSHOP_API_KEY: "local" };
    return { service, runtimes, variables };
  }

  async #installBundlers() {
    const app = await copyExample("bundled", "bundlers", { type: "module" }, own);
    const rollup = ["rollup@4", "@rollup/plugin-node-resolve@16", "@rollup/plugin-terser@1"];
    const bundlers = ["esbuild", "rolldown@1", "vite@8", "webpack@5", "webpack-cli@7", ...rollup];
    await npm(app, "install", this.#tarball, ...bundlers, "typescript@7", "@types/node@22");
    await templates(app, "types");
    await node(app, path.join("node_modules", "typescript", "bin", "tsc"), "-p", ".");
    return app;
  }

  async #installNext() {
    const app = await copyExample("nextjs", "next app", {}, own);
    // Next.js uses the TypeScript API, which version 7 does not have.
    const types = ["typescript@5", "@types/node@22", "@types/react@19"];
    await npm(
      app,
      "install",
      this.#tarball,
      "next@16",
      "react@19",
      "react-dom@19",
      "@photostructure/sqlite@1",
      ...types,
    );
    await templates(app, "types");
    return app;
  }
}

/** Runs the command of an installed package. */
export function runInstalled(app, name, args, options) {
  return run(app, path.join("node_modules", ".bin", name), args, options);
}

/** Hides an application's packages, so that its bundle cannot load them. */
export async function withoutModules(app, body) {
  const modules = path.join(app, "node_modules");
  await rename(modules, `${modules}.hidden`);
  try {
    return await body();
  } finally {
    await rename(`${modules}.hidden`, modules);
  }
}

/** Fails unless the service's delivery log has exactly one message to the recipient, within 20 seconds. */
export async function expectInLog({ variables }, email, id) {
  const url = `${variables.LETTERSHOP_URL}/v4/domains/${variables.LETTERSHOP_DOMAIN}/logs`;
  const authorization = `Basic ${btoa(`api:${variables.LETTERSHOP_API_KEY}`)}`;
  for (let tries = 0; ; tries += 1) {
    const { logs } = await (await fetch(url, { headers: { authorization } })).json();
    const ids = logs.filter(({ recipient }) => recipient.email === email).map((entry) => entry.id);
    if (ids.length === 1 && (id === undefined || ids[0] === id)) return;
    if (ids.length > 0 || tries === 100)
      throw new Error(`The delivery log has ${JSON.stringify(ids)} for ${email}${id ? `, not ${id}` : ""}.`);
    await sleep(200);
  }
}
