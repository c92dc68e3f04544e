import { afterAll, onTestFinished } from "vitest";
import { type RunningService, startService } from "../../src/service/index.js";
import { startDnsServer, type Zone } from "../service/dns-server.js";
import { temporaryFolder } from "../service/harness.js";
import { openLog } from "../service/log-entries.js";
import { createApi } from "./api.js";
import type { Exchange } from "./inventory.js";
import type { Account, Local, World } from "./world.js";

/** Each test's own account with a domain, and its account on the free plan. */
interface Names {
  readonly apiKey: string;
  readonly domain: string;
  readonly unready: string;
  readonly newDomain: string;
  readonly free: { readonly apiKey: string; readonly domain: string };
}

const namesOf = (test: number): Names => ({
  apiKey: `paid-${test}`,
  domain: `test-${test}.test`,
  unready: `unready-${test}.test`,
  newDomain: `new-${test}.test`,
  free: { apiKey: `free-${test}`, domain: `free-${test}.test` },
});

const paid = ({ apiKey, domain, unready }: Names) => ({
  apiKey,
  domains: [{ name: domain }, { name: unready, sendReady: false }] as const,
});

const free = ({ free: { apiKey, domain } }: Names) => ({
  apiKey,
  plan: "free" as const,
  domains: [{ name: domain }] as const,
});

/** The DNS records that the local service requires for a domain. */
const zoneOf = (domain: string): Zone => ({
  [`${domain} MX`]: ["10 mx1.service.test", "20 mx2.service.test"],
  [`${domain} TXT`]: ["v=spf1 include:spf.service.test ~all"],
  [`${domain} NS`]: ["ns1.dns.test"],
  [`ls1._domainkey.${domain} CNAME`]: ["dkim1.service.test"],
  [`ls2._domainkey.${domain} CNAME`]: ["dkim2.service.test"],
  [`_dmarc.${domain} TXT`]: ["v=DMARC1; p=none;"],
});

/**
 * The local service with rate limits and its own DNS server, for all tests of a file. Each test has its own accounts
 * and domains. Tests that write to the log have their own service, on a file.
 */
export function localWorlds(tests: number) {
  let shared: Promise<RunningService> | undefined;
  const start = async (data: string, ids: readonly number[], atEnd: typeof afterAll | typeof onTestFinished) => {
    const [first, ...others] = ids.map(namesOf);
    if (first === undefined) throw new Error("The file has no tests.");
    const names = [first, ...others];
    const { address } = await startDnsServer(Object.assign({}, ...names.map(({ domain }) => zoneOf(domain))), atEnd);
    const accounts = [paid(first), ...others.map(paid), ...names.map(free)] as const;
    return startService({ data, port: 0, dns: { servers: [address] }, seed: { accounts } });
  };
  afterAll(async () => (await shared)?.close());

  return async (test: number, record: Record, writesLog: boolean): Promise<World> => {
    const names = namesOf(test);
    if (!writesLog) {
      shared ??= start(":memory:", [...Array(tests).keys()], afterAll);
      return worldOf(await shared, names, record, ":memory:");
    }
    const data = await temporaryFolder();
    const service = await start(data, [test], onTestFinished);
    onTestFinished(() => service.close());
    return worldOf(service, names, record, data);
  };
}

function worldOf(service: RunningService, names: Names, record: Record, data: string): World {
  const { clock, faults } = service;
  const wait = async (seconds: number) => clock.advance(seconds * 1_000);
  const account = (apiKey: string, domain: string) => accountOf(service, apiKey, domain, record);
  return {
    ...account(names.apiKey, names.domain),
    recipient: (tag) => `${tag}@inbox.test`,
    wait,
    free: account(names.free.apiKey, names.free.domain),
    unready: names.unready,
    newDomain: names.newDomain,
    stranger: account("wrong", names.domain),
    local: { clock, faults, openLog: () => openLog(data, clock), receive: receiveWith(names, record) },
  };
}

type Record = (exchange: Exchange) => void;

function accountOf({ clock, url }: RunningService, apiKey: string, domain: string, record: Record): Account {
  const wait = async (seconds: number) => clock.advance(seconds * 1_000);
  const access = { url, apiKey, domain, record, wait };
  const [v3, v4] = [createApi("v3", access), createApi("v4", access)];
  return { domain, v3, v4, both: [v3, v4] };
}

function receiveWith({ apiKey, domain }: Names, record: Record): Local["receive"] {
  return async (settings, account) => {
    const dns = await startDnsServer(zoneOf(domain));
    const seed = { ...account, apiKey, domains: [{ name: domain, ...settings }] as const };
    const service = await startService({ data: ":memory:", port: 0, dns: { servers: [dns.address] }, seed });
    onTestFinished(() => service.close());
    const { mail, clock, smtpPort = 0 } = service;
    return { ...accountOf(service, apiKey, domain, record), smtpPort, mail, clock, dns };
  };
}
