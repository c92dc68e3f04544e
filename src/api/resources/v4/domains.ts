import type { Caller, CallOptions } from "../../calls/caller.js";
import type { DnsRecords } from "../../contract/dns.js";
import type { Domain, DomainChanges, DomainOrder, DomainPage, NewDomain } from "../../contract/v4/domains.js";
import * as PATHS from "../../contract/v4/paths.js";
import { type OneDomainCalls, oneDomainCalls } from "../domains.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";

/** Filters domains; all properties are optional and combine with AND. */
export interface DomainFilter {
  /** Part of the name. */
  readonly query?: string;
  readonly forwardingReady?: boolean;
  readonly sendReady?: boolean;
  /** The parent domain; null for domains without one. */
  readonly whitelabel?: string | null;
  /** Null for domains whose routing is disabled. */
  readonly routingEngine?: "alias" | "rules" | null;
  /** Default `name_asc`. */
  readonly order?: DomainOrder;
  /** Domains per page: 1 to 200. Default 20. */
  readonly limit?: number;
}

export interface DomainCalls extends OneDomainCalls<Domain, NewDomain, DomainChanges> {
  /** Every matching domain, read page by page during iteration. */
  list(filter?: DomainFilter, options?: CallOptions): AsyncIterable<Domain>;
  /** One page; pages count from 1. */
  page(filter?: DomainFilter & { readonly page?: number }, options?: CallOptions): Promise<DomainPage>;
  /** Checks the domain's DNS. If MX, SPF, DKIM and DMARC are correct, forwarding starts. */
  verify(domain: string, options?: CallOptions): Promise<DnsRecords>;
}

const contract = lazily(() => import("../../contract/v4/domains.js"));

export function domainCalls(caller: Caller): DomainCalls {
  const page: DomainCalls["page"] = (
    { forwardingReady, sendReady, whitelabel, routingEngine, ...filter } = {},
    options,
  ) => {
    const query = {
      ...filter,
      forwarding_ready: forwardingReady,
      send_ready: sendReady,
      whitelabel: whitelabel === null ? "null" : whitelabel,
      routing_engine: routingEngine === null ? "null" : routingEngine,
    };
    const request = { method: "GET", endpoint: PATHS.domains, parameters: {}, query } as const;
    return caller.ask(request, async () => (await contract()).domainListResponse, options);
  };

  return {
    ...oneDomainCalls<Domain, NewDomain, DomainChanges>(caller, contract),
    page,
    list: (filter, options) =>
      byNumber(
        (number) => page({ ...filter, page: number }, options),
        ({ domains }) => domains,
        ({ domain }) => domain,
      ),
    async verify(domain, options) {
      const request = { method: "POST", endpoint: PATHS.domainVerify, parameters: { domain } } as const;
      return (await caller.ask(request, async () => (await contract()).domainVerifyResponse, options)).records;
    },
  };
}
