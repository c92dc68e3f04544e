import { isForbidden, isNotFound, isUnauthorized } from "../../api/errors.js";
import { type Environment, remoteName } from "../../project/environment.js";
import { LettershopError } from "../../errors.js";
import type { RegistryEntry } from "../../project/registry-types.js";
import { refusalOfOtherProject, type ServiceClient } from "../delivery/connection.js";
import { type NamedTemplate, templateChecks } from "./verify-templates.js";

/** A requirement for sending. */
export interface Check {
  readonly name: "service" | "key" | "plan" | "domain" | "sending" | "template";
  /** For `template`: its name in the project. */
  readonly template?: string;
  readonly ok: boolean;
  /** The result, as a sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** The result of `mailer.verify()`. */
export interface Verification {
  /** Whether every check is ok. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

/**
 * Checks the account, the domain and the list of templates, with one request each. Problems are part of the result,
 * never thrown; nothing is changed.
 *
 * @param templates The mailer's templates, with their names on the service; empty if it needs none there.
 * @throws {AbortedError} The signal ended it.
 */
export async function verify(
  service: ServiceClient,
  templates: readonly NamedTemplate[],
  signal?: AbortSignal,
): Promise<Verification> {
  const [account, domain, deployed] = await Promise.all(
    [accountChecks(service, signal), domainChecks(service, signal), templateChecks(service, templates, signal)].map(
      async (looking) => looking.catch((error: unknown) => refusal(error, service, signal)),
    ),
  );
  // A problem that affects all checks is reported once.
  const [first] = account ?? [];
  const isClosed = first !== undefined && !first.ok && (first.name === "service" || first.name === "key");
  const all = isClosed ? [first] : [...(account ?? []), ...(domain ?? []), ...(deployed ?? [])];
  const checks = [...new Map(all.map((check) => [JSON.stringify(check), check])).values()];
  return { ok: checks.every(({ ok }) => ok), checks };
}

/** Undefined unless the local service that was found belongs to another project. */
export async function verifyOwner({ url, searchedFrom }: Environment): Promise<Verification | undefined> {
  if (searchedFrom === undefined) return undefined;
  const error = await refusalOfOtherProject(url, searchedFrom).catch(() => undefined);
  if (error === undefined) return undefined;
  return { ok: false, checks: [failed("service", error.message, error.hint)] };
}

/** The part of a registry that matters here, whatever its types. */
export interface NamingRegistry {
  readonly templates: object;
}

/** The templates of a registry, with their names on an environment's service. */
export function namedTemplates(registry: NamingRegistry | undefined, environment: Environment): NamedTemplate[] {
  return Object.entries(registry?.templates ?? {}).map(([name, { contract }]: [string, RegistryEntry]) => ({
    name,
    remoteName: remoteName(environment, name),
    contract,
  }));
}

function refusal(error: unknown, { url, domain }: ServiceClient, signal: AbortSignal | undefined): Check[] {
  if (!(error instanceof LettershopError) || signal?.aborted) throw error;
  if (isUnauthorized(error)) {
    const hint = "Find the key in the API section of the account's dashboard.";
    return [failed("key", `${url} does not accept the key.`, hint)];
  }
  if (isForbidden(error))
    return [failed("plan", "The plan includes neither sending nor templates.", "Both require a premium plan.")];
  if (isNotFound(error)) {
    const hint = `Add ${domain} to the account, or fix the environment's \`domain\`.`;
    return [failed("domain", `${domain} is not a domain of the account.`, hint)];
  }
  return [failed("service", error.message, error.hint)];
}

function passed(name: Check["name"], message: string): Check {
  return { name, ok: true, message };
}

function failed(name: Check["name"], message: string, hint: string | undefined): Check {
  return { name, ok: false, message, ...(hint !== undefined && { hint }) };
}

/** What determines whether an account can send, independent of the API version. */
interface AccountState {
  readonly plan: string;
  readonly sendsPerDay: number;
  /** Unknown with version 3. */
  readonly sendsPerMonth?: number;
  /** Unknown with version 3. */
  readonly isOverQuota?: boolean;
  readonly isLocked: boolean;
}

/** @throws {CallError} The account could not be read. */
async function accountChecks(service: ServiceClient, signal?: AbortSignal): Promise<Check[]> {
  const { plan, sendsPerDay, sendsPerMonth, isOverQuota = false, isLocked } = await readAccount(service, signal);
  const limits = `${sendsPerDay} sends a day${sendsPerMonth === undefined ? "" : `, ${sendsPerMonth} a month`}`;
  const key = passed("key", `${service.url} accepts the key.`);
  if (isLocked) return [key, failed("plan", "The account is locked.", "See the account's dashboard for the reason.")];
  if (isOverQuota) {
    const hint = "Wait for the next period, or upgrade the plan.";
    return [key, failed("plan", `The account is over its quota (${plan}: ${limits}).`, hint)];
  }
  if (sendsPerDay === 0) {
    const hint = "Sending and templates require a premium plan.";
    return [key, failed("plan", `The plan ${plan} does not include sending.`, hint)];
  }
  return [key, passed("plan", `The plan ${plan} allows ${limits}.`)];
}

async function readAccount({ version, client }: ServiceClient, signal?: AbortSignal): Promise<AccountState> {
  if (version === "v3") {
    const { plan, limits, locked } = await client.account.get({ signal });
    return { plan: plan.name, sendsPerDay: limits.daily_send, isLocked: isSet(locked) };
  }
  const { plan, over_quota, locked } = await client.account.get({ signal });
  return {
    plan: plan.name,
    sendsPerDay: plan.daily_send_limit,
    sendsPerMonth: plan.monthly_send_limit,
    isOverQuota: over_quota,
    isLocked: isSet(locked),
  };
}

/** The value for a locked account is not documented. */
function isSet(locked: unknown): boolean {
  return locked !== null && locked !== undefined && locked !== false;
}

/** @throws {CallError} The domain could not be read: a 404 if the account does not have it. */
async function domainChecks(service: ServiceClient, signal?: AbortSignal): Promise<Check[]> {
  const { domain } = service;
  const { isBanned, isReady } = await readDomain(service, signal);
  if (isBanned) return [failed("domain", `${domain} is banned.`, "Ask the service's support for the reason.")];
  const hint = `Complete its DNS records (two DKIM CNAME records and a DMARC TXT record): the dashboard shows them at /domains/${domain}/dns.`;
  return [
    passed("domain", `${domain} is a domain of the account.`),
    isReady
      ? passed("sending", `${domain} is ready to send.`)
      : failed("sending", `${domain} is not ready to send.`, hint),
  ];
}

/** Version 3 looks the DNS records up; version 4 has the result. */
async function readDomain(
  { version, client, domain }: ServiceClient,
  signal?: AbortSignal,
): Promise<{ readonly isBanned: boolean; readonly isReady: boolean }> {
  if (version === "v4") {
    const { banned, send_ready } = await client.domains.get(domain, { signal });
    return { isBanned: banned, isReady: send_ready };
  }
  const { dkim1, dkim2, dmarc } = (await client.domains.check(domain, { signal })).records;
  return { isBanned: false, isReady: [dkim1, dkim2, dmarc].every(({ valid }) => valid) };
}
