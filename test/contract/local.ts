import { onTestFinished } from "vitest";
import { startService } from "../../src/service/index.js";
import { startDnsServer, type Zone } from "../service/dns-server.js";
import { temporaryFolder } from "../service/harness.js";
import { openLog } from "../service/log-entries.js";
import { createApi } from "./api.js";
import type { Exchange } from "./inventory.js";
import type { Account, World } from "./world.js";

const DOMAIN = "example.test";
const FREE_DOMAIN = "free.test";

/** What the local service wants to see in the DNS of a domain. */
const zone: Zone = {
  [`${DOMAIN} MX`]: ["10 mx1.service.test", "20 mx2.service.test"],
  [`${DOMAIN} TXT`]: ["v=spf1 include:spf.service.test ~all"],
  [`${DOMAIN} NS`]: ["ns1.dns.test"],
  [`ls1._domainkey.${DOMAIN} CNAME`]: ["dkim1.service.test"],
  [`ls2._domainkey.${DOMAIN} CNAME`]: ["dkim2.service.test"],
  [`_dmarc.${DOMAIN} TXT`]: ["v=DMARC1; p=none;"],
};

/** A local service of the test's own, with its limits, and a DNS of its own. */
export async function localWorld(record: (exchange: Exchange) => void, writesLog: boolean): Promise<World> {
  const dns = await startDnsServer(zone);
  const data = writesLog ? await temporaryFolder() : ":memory:";
  const service = await startService({
    data,
    port: 0,
    dns: { servers: [dns.address] },
    seed: {
      accounts: [
        { domains: [{ name: DOMAIN }, { name: "unready.test", sendReady: false }] },
        { apiKey: "free", plan: "free", domains: [{ name: FREE_DOMAIN }] },
      ],
    },
  });
  onTestFinished(() => service.close());
  const { clock, faults, url } = service;
  const wait = async (seconds: number) => clock.advance(seconds * 1_000);
  const account = (apiKey: string | undefined, domain: string): Account => {
    const access = { url, apiKey, domain, record, wait };
    const [v3, v4] = [createApi("v3", access), createApi("v4", access)];
    return { domain, v3, v4, both: [v3, v4] };
  };
  return {
    ...account(service.apiKey, DOMAIN),
    recipient: (tag) => `${tag}@inbox.test`,
    wait,
    free: account("free", FREE_DOMAIN),
    unready: "unready.test",
    newDomain: "new.test",
    stranger: account("wrong", DOMAIN),
    local: { clock, faults, openLog: () => openLog(data, clock) },
  };
}
