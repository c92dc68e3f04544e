import type { z } from "zod";
import type { Caller, CallOptions } from "../calls/caller.js";
import type { DomainChangesV3, DomainCheckV3, DomainPageV3, DomainV3, NewDomainV3 } from "../contract/v3/domains.js";
import * as PATHS_V3 from "../contract/v3/paths.js";
import type { DnsRecords, Domain, DomainChanges, DomainOrder, DomainPage, NewDomain } from "../contract/v4/domains.js";
import * as PATHS from "../contract/v4/paths.js";
import { byNumber } from "./pages.js";

/** Calls for single domains, the same in both versions apart from a domain's fields. */
export interface OneDomainCalls<OneDomain, New, Changes> {
  get(domain: string, options?: CallOptions): Promise<OneDomain>;
  create(domain: New, options?: CallOptions): Promise<OneDomain>;
  /** Its name cannot be changed. */
  update(domain: string, changes: Changes, options?: CallOptions): Promise<OneDomain>;
  delete(domain: string, options?: CallOptions): Promise<void>;
}

export function oneDomainCalls<OneDomain, New extends object, Changes extends object>(
  caller: Caller,
  contract: () => Promise<{ readonly domainResponse: z.ZodType<{ domain: OneDomain }> }>,
): OneDomainCalls<OneDomain, New, Changes> {
  const response = async () => (await contract()).domainResponse;
  return {
    async get(domain, options) {
      const request = { method: "GET", endpoint: PATHS.domain, parameters: { domain } } as const;
      return (await caller.ask(request, response, options)).domain;
    },
    async create(body, options) {
      const request = { method: "POST", endpoint: PATHS.domains, parameters: {}, body } as const;
      return (await caller.ask(request, response, options)).domain;
    },
    async update(domain, body, options) {
      const request = { method: "PUT", endpoint: PATHS.domain, parameters: { domain }, body } as const;
      return (await caller.ask(request, response, options)).domain;
    },
    async delete(domain, options) {
      await caller.tell({ method: "DELETE", endpoint: PATHS.domain, parameters: { domain } }, options);
    },
  };
}

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

const contract = () => import("../contract/v4/domains.js");

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
    list: (filter, options) => byNumber((number) => page({ ...filter, page: number }, options), "domains", "domain"),
    async verify(domain, options) {
      const request = { method: "POST", endpoint: PATHS.domainVerify, parameters: { domain } } as const;
      return (await caller.ask(request, async () => (await contract()).domainVerifyResponse, options)).records;
    },
  };
}

/** Filters domains; all properties are optional and combine with AND. */
export interface DomainFilterV3 {
  /** Part of the name. */
  readonly query?: string;
  readonly active?: boolean;
  /** Domains per page: 1 to 100. Default 50. */
  readonly limit?: number;
}

export interface DomainCallsV3 extends OneDomainCalls<DomainV3, NewDomainV3, DomainChangesV3> {
  /** Every matching domain, read page by page during iteration. */
  list(filter?: DomainFilterV3, options?: CallOptions): AsyncIterable<DomainV3>;
  /** One page; pages count from 1. */
  page(filter?: DomainFilterV3 & { readonly page?: number }, options?: CallOptions): Promise<DomainPageV3>;
  /** With at most 200 of its aliases. */
  get(domain: string, options?: CallOptions): Promise<DomainV3>;
  /**
   * Checks the domain's DNS. `success` is whether MX is configured correctly; if it is not, that is not an error, and
   * `records.error` may have the reason.
   */
  check(domain: string, options?: CallOptions): Promise<DomainCheckV3>;
}

const contractV3 = () => import("../contract/v3/domains.js");

export function domainCallsV3(caller: Caller): DomainCallsV3 {
  const page: DomainCallsV3["page"] = ({ query: q, active, ...filter } = {}, options) => {
    const query = { ...filter, q, is_active: asDigit(active) };
    const request = { method: "GET", endpoint: PATHS.domains, parameters: {}, query } as const;
    return caller.ask(request, async () => (await contractV3()).domainListResponse, options);
  };

  return {
    ...oneDomainCalls<DomainV3, NewDomainV3, DomainChangesV3>(caller, contractV3),
    page,
    list: (filter, options) => byNumber((number) => page({ ...filter, page: number }, options), "domains", "domain"),
    async check(domain, options) {
      const request = { method: "GET", endpoint: PATHS_V3.domainCheck, parameters: { domain } } as const;
      return caller.ask(request, async () => (await contractV3()).domainCheckResponse, options);
    },
  };
}

/** A boolean in version 3's URL format. */
export function asDigit(active: boolean | undefined): 1 | 0 | undefined {
  return active === undefined ? undefined : active ? 1 : 0;
}
