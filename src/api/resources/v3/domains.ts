import type { Caller, CallOptions } from "../../calls/caller.js";
import type { DomainChangesV3, DomainCheckV3, DomainPageV3, DomainV3, NewDomainV3 } from "../../contract/v3/domains.js";
import * as PATHS from "../../contract/v3/paths.js";
import { type OneDomainCalls, oneDomainCalls } from "../domains.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";
import { asDigit } from "./is-active.js";

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

const contract = lazily(() => import("../../contract/v3/domains.js"));

export function domainCallsV3(caller: Caller): DomainCallsV3 {
  const page: DomainCallsV3["page"] = ({ query: q, active, ...filter } = {}, options) => {
    const query = { ...filter, q, is_active: asDigit(active) };
    const request = { method: "GET", endpoint: PATHS.domains, parameters: {}, query } as const;
    return caller.ask(request, async () => (await contract()).domainListResponse, options);
  };

  return {
    ...oneDomainCalls<DomainV3, NewDomainV3, DomainChangesV3>(caller, contract),
    page,
    list: (filter, options) =>
      byNumber(
        (number) => page({ ...filter, page: number }, options),
        ({ domains }) => domains,
        ({ domain }) => domain,
      ),
    async check(domain, options) {
      const request = { method: "GET", endpoint: PATHS.domainCheck, parameters: { domain } } as const;
      return caller.ask(request, async () => (await contract()).domainCheckResponse, options);
    },
  };
}
