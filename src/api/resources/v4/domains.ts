import type { Caller, CallOptions } from "../../caller.js";
import type { Domain, DomainOrder, DomainPage } from "../../contract/v4/domains.js";
import { PATHS } from "../../contract/v4/paths.js";

/** Which domains to list; all members are optional and combine with AND. */
export interface DomainFilter {
  /** A part of the name. */
  readonly query?: string;
  readonly forwardingReady?: boolean;
  readonly sendReady?: boolean;
  /** The parent domain; null for domains without one. */
  readonly whitelabel?: string | null;
  /** Null for domains whose routing is disabled. */
  readonly routingEngine?: "alias" | "rules" | null;
  /** Default `name_asc`. */
  readonly order?: DomainOrder;
  /** Domains on a page: 1 to 200. Default 20. */
  readonly limit?: number;
}

export interface DomainCalls {
  /** Every domain that fits, read page by page while it is iterated. */
  list(filter?: DomainFilter, options?: CallOptions): AsyncIterable<Domain>;
  /** One page; pages count from 1. */
  page(filter?: DomainFilter & { readonly page?: number }, options?: CallOptions): Promise<DomainPage>;
  get(domain: string, options?: CallOptions): Promise<Domain>;
}

const contract = () => import("../../contract/v4/domains.js");

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
    page,
    async *list(filter, options) {
      let read = 0;
      for (let number = 1; ; number += 1) {
        const { domains, total } = await page({ ...filter, page: number }, options);
        yield* domains;
        read += domains.length;
        if (domains.length === 0 || read >= total) return;
      }
    },
    async get(domain, options) {
      const request = { method: "GET", endpoint: PATHS.domain, parameters: { domain } } as const;
      const answer = await caller.ask(request, async () => (await contract()).domainResponse, options);
      return answer.domain;
    },
  };
}
