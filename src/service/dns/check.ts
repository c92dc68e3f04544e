import { Resolver } from "node:dns";
import type { DnsRecords } from "../../api/contract/dns.js";
import { ConfigurationError } from "../../errors.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";
import { expectedRecords } from "./expected.js";
import { compareRecords, readyRecords } from "./records.js";
import { lookUp } from "./resolve.js";

/**
 * What the service takes for a domain's DNS: `ready` that every domain is set up, `system` what the machine's own
 * resolver says, or what DNS servers say, each an address with or without a port (`127.0.0.1:5353`).
 */
export type DnsSource = "ready" | "system" | { readonly servers: readonly string[] };

/** @throws ConfigurationError for servers that are no addresses, which would otherwise be found at the first look-up. */
export function requireDnsServers(source: DnsSource): void {
  if (typeof source === "string") return;
  try {
    new Resolver().setServers(source.servers);
    // A port that cannot be one is not what the resolver minds.
    const ports = source.servers.map((server) => Number(/:(\d+)$/.exec(server)?.[1] ?? 0));
    if (ports.length > 0 && ports.every((port) => port <= 65_535)) return;
  } catch {
    // Said below, for the empty list as well.
  }
  throw new ConfigurationError(`"${source.servers.join(", ")}" cannot be used as DNS servers.`, {
    hint: "Give an IP address with or without a port, such as 127.0.0.1:5353; or `system` for the machine's own.",
  });
}

/**
 * Looks at a domain's DNS, and takes over what it is set up for: forwarding where MX is right, sending where DKIM and
 * DMARC are, which also ends the block on sending by SMTP (part 3). Where DNS cannot be asked, all stays as it is.
 */
export async function checkDns(domain: DomainRecord, store: Store, source: DnsSource): Promise<DnsRecords> {
  const expected = expectedRecords(domain);
  if (source === "ready") return takeOver(domain, store, readyRecords(domain.name, expected));

  const [dkim1, dkim2] = expected.dkim;
  const servers = source === "system" ? undefined : source.servers;
  const found = await lookUp(domain.name, [dkim1.host, dkim2.host], servers);
  const records = compareRecords(domain.name, expected, found);
  const answered = [found.mx, found.dmarc, ...found.dkim].every((answer) => answer !== undefined);
  return answered ? takeOver(domain, store, records) : records;
}

function takeOver(domain: DomainRecord, store: Store, records: DnsRecords): DnsRecords {
  const sending = records.dkim1.valid && records.dkim2.valid && records.dmarc.valid;
  store.transaction(() => {
    store.domains.setReadiness(domain.id, { forwarding: records.mx.valid, sending });
    if (sending) store.domains.setSmtpBlocked(domain.id, false);
  });
  return records;
}
