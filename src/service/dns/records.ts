import type { DnsRecords } from "../../api/contract/dns.js";
import type { ExpectedRecords } from "./expected.js";
import type { FoundRecords } from "./resolve.js";

/** Compares the records that exist with the expected ones, as both versions show them (part 2). */
export function compareRecords(domain: string, expected: ExpectedRecords, actual: FoundRecords): DnsRecords {
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
export function readyRecords(domain: string, expected: ExpectedRecords): DnsRecords {
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
