import { Resolver } from "node:dns";
import type { DnsRecords } from "../../api/contract/dns.js";
import { ConfigurationError } from "../../errors.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";
import { expectedRecords } from "./expected.js";
import { compareRecords, readyRecords } from "./records.js";
import { lookUp } from "./resolve.js";

/**
 * Where a domain's DNS is looked up: `ready` treats every domain as set up, `system` uses the machine's resolver,
 * otherwise DNS servers, each an IP address with an optional port (`127.0.0.1:5353`).
 */
export type DnsSource = "ready" | "system" | { readonly servers: readonly string[] };

/**
 * @throws ConfigurationError for servers that are not IP addresses, which would otherwise only fail at the first
 * lookup.
 */
export function requireDnsServers(source: DnsSource): void {
  if (typeof source === "string") return;
  try {
    new Resolver().setServers(source.servers);
    // The resolver does not reject invalid ports.
    const ports = source.servers.map((server) => Number(/:(\d+)$/.exec(server)?.[1] ?? 0));
    if (ports.length > 0 && ports.every((port) => port <= 65_535)) return;
  } catch {
    // Reported below, together with the empty list.
  }
  throw new ConfigurationError(`"${source.servers.join(", ")}" can't be used as DNS servers.`, {
    hint: "Use IP addresses with an optional port, such as 127.0.0.1:5353, or `system` for the machine's own servers.",
  });
}

/**
 * Checks a domain's DNS and stores the result: forwarding is ready if MX is correct, sending if DKIM and DMARC are,
 * which also ends the block on sending by SMTP (part 3). If DNS cannot be reached, nothing changes.
 */
export async function checkDns(domain: DomainRecord, store: Store, source: DnsSource): Promise<DnsRecords> {
  const expected = expectedRecords(domain);
  if (source === "ready") return takeOver(domain, store, readyRecords(domain.name, expected));

  const [dkim1, dkim2] = expected.dkim;
  const servers = source === "system" ? undefined : source.servers;
  const actual = await lookUp(domain.name, [dkim1.host, dkim2.host], servers);
  const records = compareRecords(domain.name, expected, actual);
  const answered = [actual.mx, actual.dmarc, ...actual.dkim].every((answer) => answer !== undefined);
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
