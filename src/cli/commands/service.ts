import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../../project/load-project.js";
import { ConfigurationError } from "../../errors.js";
import { isShared, type PreviewUrl, previewUrls } from "../../preview/server/hosts.js";
import { type DnsSource, type Seed, startService } from "../../service/index.js";
import { wholeNumber } from "../arguments.js";
import { defineCommand, exitCode } from "../command.js";
import { LOCAL_DOMAIN, LOCAL_SMTP_PASSWORD, LOCAL_SMTP_USER } from "../../api/local.js";
import { LOCAL_SEED } from "../local-seed.js";
import { printUrls, smtpUrl } from "../preview/preview-urls.js";
import { hideFromGit, type ProjectFlags, withProject, workingFolder } from "../project.js";
import { isRecord } from "../../values.js";

export const command = defineCommand({
  flags: {
    port: { summary: "Listen on this port (default: the last one used, 4680 or a free one)", value: "N" },
    smtpPort: {
      summary: "Listen for SMTP on this port (default: the last one used, 2525 or a free one)",
      value: "N",
    },
    noSmtp: { summary: "Do not listen for SMTP" },
    relay: {
      summary: "Forward to other domains through this SMTP server, as in smtp://user:pass@host:587 (default: capture)",
      value: "URL",
    },
    allowInsecureAuth: { summary: "Accept SMTP credentials without TLS" },
    host: { summary: "Listen on this address (default 127.0.0.1)", value: "H" },
    data: {
      summary: "Store data in this folder (default .lettershop next to the project's package.json)",
      value: "DIR",
    },
    plan: { summary: "The account's plan in a new data folder (default paid)", value: "PLAN", oneOf: ["free", "paid"] },
    routingEngine: {
      summary: "How the domain of a new data folder forwards: by aliases, by rules, or not at all (default alias)",
      value: "ENGINE",
      oneOf: ["alias", "rules", "null"],
    },
    seed: { summary: "Add the accounts, domains and their contents from this JSON file", value: "FILE" },
    dns: {
      summary: "Verify domains with this DNS server, or the machine's with `system` (default: every domain is ready)",
      value: "HOST:PORT",
      many: true,
    },
    noLimits: { summary: "Turn rate limits off (for end-to-end tests)" },
  },
  examples: [
    "templates service",
    "templates service --port 4700 --no-limits",
    "templates service --plan free --seed seed.json",
    "templates service --routing-engine rules --relay smtp://127.0.0.1:1025",
  ],
  async run({ flags, output, signal }) {
    const port = wholeNumber("--port", flags.port, 0, 65_535);
    const smtpPort = flags.noSmtp ? false : wholeNumber("--smtp-port", flags.smtpPort, 0, 65_535);
    const project = await projectOrNone(flags);
    const own = project?.dataFolder ?? path.join(workingFolder(flags), ".lettershop");
    const data = flags.data === undefined ? own : path.resolve(workingFolder(flags), flags.data);
    if (data === own) hideFromGit(own);
    const seed = await readSeedFile(flags);
    const running = await startService({
      data,
      project: project?.folder ?? workingFolder(flags),
      ownProcess: true,
      limits: !flags.noLimits,
      seed,
      ...(flags.dns.length > 0 && { dns: dnsSource(flags.dns) }),
      port,
      smtpPort,
      relay: flags.relay,
      allowInsecureAuth: flags.allowInsecureAuth,
      host: flags.host,
      assets: project?.roots,
    });
    for (const sentence of running.kept) output.note(sentence);
    const reach = { host: flags.host ?? "127.0.0.1", allowedHosts: [] };
    const [first, ...others] = previewUrls(reach, running.port, undefined);
    printUrls(output, "Local service at ", [baseUrl(first), ...others.map(baseUrl)]);
    output.print(`  domain ${running.domain}, key ${running.apiKey}`);
    const smtp = smtpUrl(running.url, running.smtpPort);
    if (smtp !== undefined) output.print(`  SMTP: ${smtp}${flags.seed === undefined ? `, user ${LOCAL_LOGIN}` : ""}`);
    output.print(`  captured mail: ${running.url}/mail`);
    output.print(`  data: ${data}`);
    output.json({ url: running.url, smtpPort: running.smtpPort, domain: running.domain, data });
    if (isShared(reach)) output.note("Anyone who can reach the service can read and delete the captured mail.");
    if (!signal.aborted) await once(signal, "abort");
    await running.close();
    output.note("The local service has stopped.");
    return exitCode.done;
  },
});

const LOCAL_LOGIN = `${LOCAL_SMTP_USER}@${LOCAL_DOMAIN}, password ${LOCAL_SMTP_PASSWORD}`;

/** A base URL for clients, without the trailing slash: API paths begin with one. */
function baseUrl({ kind, url }: PreviewUrl): PreviewUrl {
  return { kind, url: url.replace(/\/$/, "") };
}

/** The service also runs without a project: in an empty folder, or next to an application in another language. */
async function projectOrNone(
  flags: ProjectFlags,
): Promise<Pick<Project, "folder" | "dataFolder" | "roots"> | undefined> {
  try {
    return await withProject(flags, async ({ project }) => project);
  } catch (error) {
    if (error instanceof ConfigurationError && flags.config === undefined) return undefined;
    throw error;
  }
}

interface SeedFlags {
  readonly plan: "free" | "paid" | undefined;
  readonly routingEngine: "alias" | "rules" | "null" | undefined;
}

/** Reads `--seed`. The other flags apply to its first account, and to that account's first domain. */
async function readSeedFile(flags: ProjectFlags & SeedFlags & { readonly seed: string | undefined }): Promise<Seed> {
  if (flags.seed === undefined) return withFlags(LOCAL_SEED, flags);
  const file = path.resolve(workingFolder(flags), flags.seed);
  const seed = await readJson(file);
  if (!isRecord(seed)) throw new ConfigurationError(`The seed ${file} must be a JSON object.`);
  if (!Array.isArray(seed["accounts"])) return withFlags(seed, flags);
  const [first, ...others]: unknown[] = seed["accounts"];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service checks its contents
  return { ...seed, accounts: [isRecord(first) ? withFlags(first, flags) : first, ...others] } as Seed;
}

function withFlags(account: Readonly<Record<string, unknown>>, { plan, routingEngine }: SeedFlags): object {
  const { domains = [{ name: LOCAL_DOMAIN }] } = account;
  const [domain, ...others]: unknown[] = Array.isArray(domains) ? domains : [];
  const isRouted = routingEngine !== undefined && isRecord(domain);
  return {
    ...account,
    ...(plan && { plan }),
    ...(isRouted && {
      domains: [{ ...domain, routingEngine: routingEngine === "null" ? null : routingEngine }, ...others],
    }),
  };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? `is not valid JSON: ${cause.message}` : "can't be read";
    throw new ConfigurationError(`The seed ${file} ${reason}.`, { cause });
  }
}

function dnsSource(servers: readonly string[]): DnsSource {
  if (servers.length === 1 && (servers[0] === "ready" || servers[0] === "system")) return servers[0];
  return { servers };
}
