import { Resolver } from "node:dns/promises";
import { errorCode } from "../../errors.js";

/** Timeout in ms of one query, and of the whole lookup. */
const QUESTION_MS = 1_000;
const ALL_MS = 5_000;

/** Records from DNS. Undefined if DNS could not be reached, empty if there are none. */
type Answer<Value> = readonly Value[] | undefined;

/** The records of a domain that the service checks. */
export interface FoundRecords {
  /** Host names, the most preferred first. */
  readonly mx: Answer<string>;
  readonly txt: Answer<string>;
  readonly dkim: readonly [Answer<string>, Answer<string>];
  readonly dmarc: Answer<string>;
  readonly nameServers: Answer<string>;
}

/** Error codes for an empty answer, as opposed to no answer. */
const NOTHING = new Set<string | undefined>(["ENODATA", "ENOTFOUND"]);

/**
 * Sends all queries at once, with an overall timeout.
 *
 * @param servers IP addresses with an optional port. Undefined for the machine's own.
 * @param dkimHosts Names of the two DKIM records.
 */
export async function queryRecords(
  domain: string,
  dkimHosts: readonly [string, string],
  servers: readonly string[] | undefined,
): Promise<FoundRecords> {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), ALL_MS);
  const texts = async (host: string) => (await resolver.resolveTxt(host)).map((parts) => parts.join(""));
  const hosts = async (names: Promise<string[]>) => (await names).map(hostName);
  try {
    const [mx, txt, dkim1, dkim2, dmarc, nameServers] = await Promise.all([
      answer(exchanges(resolver, domain)),
      answer(texts(domain)),
      answer(hosts(resolver.resolveCname(dkimHosts[0]))),
      answer(hosts(resolver.resolveCname(dkimHosts[1]))),
      answer(texts(`_dmarc.${domain}`)),
      answer(hosts(resolver.resolveNs(domain))),
    ]);
    return { mx, txt, dkim: [dkim1, dkim2], dmarc, nameServers };
  } finally {
    clearTimeout(deadline);
  }
}

async function exchanges(resolver: Resolver, domain: string): Promise<string[]> {
  const records = await resolver.resolveMx(domain);
  return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => hostName(exchange));
}

async function answer<Value>(query: Promise<Value[]>): Promise<Answer<Value>> {
  try {
    return await query;
  } catch (error) {
    return NOTHING.has(errorCode(error)) ? [] : undefined;
  }
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
