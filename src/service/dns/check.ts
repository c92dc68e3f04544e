import { Resolver } from "node:dns";
import type { DnsRecords } from "../../api/contract/v4/domains.js";
import { ConfigurationError } from "../../errors.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";
import { type FoundRecords, queryRecords } from "./resolve.js";

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
  if (source === "ready") return storeReadiness(domain, store, readyRecords(domain.name, expected));

  const [dkim1, dkim2] = expected.dkim;
  const servers = source === "system" ? undefined : source.servers;
  const actual = await queryRecords(domain.name, [dkim1.host, dkim2.host], servers);
  const records = compareRecords(domain.name, expected, actual);
  const answered = [actual.mx, actual.dmarc, ...actual.dkim].every((answer) => answer !== undefined);
  return answered ? storeReadiness(domain, store, records) : records;
}

function storeReadiness(domain: DomainRecord, store: Store, records: DnsRecords): DnsRecords {
  const sending = records.dkim1.valid && records.dkim2.valid && records.dmarc.valid;
  store.transaction(() => {
    store.domains.setReadiness(domain.id, { forwarding: records.mx.valid, sending });
    if (sending) store.domains.setSmtpBlocked(domain.id, false);
  });
  return records;
}

/** Compares the records that exist with the expected ones, as both versions show them (part 2). */
function compareRecords(domain: string, expected: ExpectedRecords, actual: FoundRecords): DnsRecords {
  const spf = (actual.txt ?? []).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const dmarc = (actual.dmarc ?? []).filter((text) => /^v=DMARC1 *(?:;|$)/i.test(text));
  const [dkim1, dkim2] = expected.dkim;
  const error = mxError(domain, expected.mx, actual.mx);
  const records = {
    dkim1: cname(dkim1.target, actual.dkim[0] ?? []),
    dkim2: cname(dkim2.target, actual.dkim[1] ?? []),
    // Several records of a kind are an error: receivers then ignore all of them (RFC 7208, 4.5; RFC 7489, 6.6.3).
    dmarc: {
      expected: expected.dmarc,
      valid: dmarc.length === 1 && /; *p *= *(?:none|quarantine|reject) *(?:;|$)/i.test(dmarc.join()),
      values: shown(dmarc),
    },
    spf: {
      expected: expected.spf,
      valid: spf.length === 1 && spf.join().toLowerCase().split(/ +/).includes(expected.spfInclude),
      values: shown(spf),
    },
    mx: { expected: [...expected.mx], valid: error === null, values: [...(actual.mx ?? [])] },
  };
  return {
    provider: providerOf(actual.nameServers ?? []),
    advanced: records.dkim1.valid && records.dkim2.valid && records.dmarc.valid,
    ...records,
    error,
    valid: Object.values(records).every(({ valid }) => valid),
  };
}

/** The records of a domain that is treated as set up. */
function readyRecords(domain: string, expected: ExpectedRecords): DnsRecords {
  const [dkim1, dkim2] = expected.dkim;
  return compareRecords(domain, expected, {
    mx: expected.mx,
    txt: [expected.spf],
    dkim: [[dkim1.target], [dkim2.target]],
    dmarc: [expected.dmarc],
    nameServers: [],
  });
}

function cname(expected: string, values: readonly string[]): DnsRecords["dkim1"] {
  return { expected, valid: values.includes(expected), values: shown(values) };
}

function mxError(domain: string, expected: readonly string[], actual: readonly string[] | undefined): string | null {
  const wanted = expected.join(" and ");
  if (!actual) return `DNS didn't answer the query for the MX records of ${domain}. Try again later.`;
  if (actual.length === 0) return `${domain} has no MX records. Add ${wanted}.`;
  const missing = expected.filter((host) => !actual.includes(host));
  if (missing.length > 0) return `The MX records of ${domain} are incomplete. Add ${missing.join(" and ")}.`;
  const others = actual.filter((host) => !expected.includes(host));
  if (others.length > 0) return `The MX records of ${domain} also point to other hosts. Remove ${others.join(", ")}.`;
  return null;
}

function shown(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.join(", ");
}

/** The DNS provider, by the name servers' domain. */
function providerOf(nameServers: readonly string[]): string {
  const [first] = nameServers.toSorted();
  return first === undefined ? "unknown" : first.split(".").slice(-2).join(".");
}

/** The service's own name in DNS, in a domain reserved for tests, so that nothing points to it by accident. */
const SERVICE_DOMAIN = "service.test";

/** `dkim_selector` in version 3. The two DKIM records are at this name with the suffixes 1 and 2. */
export const DKIM_SELECTOR = "ls";

/** Where a domain's DNS records have to point. With a whitelabel: to names below that parent domain. */
export interface ExpectedRecords {
  readonly mx: readonly string[];
  readonly spf: string;
  /** The minimum that `spf` must contain. An existing record may include more. */
  readonly spfInclude: string;
  readonly dkim: readonly [Cname, Cname];
  readonly dmarc: string;
}

interface Cname {
  readonly host: string;
  readonly target: string;
}

export function expectedRecords({ name, whitelabel }: Pick<DomainRecord, "name" | "whitelabel">): ExpectedRecords {
  const parent = whitelabel ?? SERVICE_DOMAIN;
  const spfInclude = `include:spf.${parent}`;
  const dkim = (number: 1 | 2): Cname => ({
    host: `${DKIM_SELECTOR}${number}._domainkey.${name}`,
    target: `dkim${number}.${parent}`,
  });
  return {
    mx: [`mx1.${parent}`, `mx2.${parent}`],
    spf: `v=spf1 ${spfInclude} ~all`,
    spfInclude,
    dkim: [dkim(1), dkim(2)],
    dmarc: "v=DMARC1; p=none;",
  };
}
