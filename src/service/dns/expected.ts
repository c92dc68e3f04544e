import type { DomainRecord } from "../store/domains.js";

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
