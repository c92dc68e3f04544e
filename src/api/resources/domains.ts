import type { z } from "zod";
import type { Caller, CallOptions } from "../calls/caller.js";
import * as PATHS from "../contract/v4/paths.js";

/** Calls for single domains, the same in both versions apart from a domain's fields. */
export interface OneDomainCalls<Domain, New, Changes> {
  get(domain: string, options?: CallOptions): Promise<Domain>;
  create(domain: New, options?: CallOptions): Promise<Domain>;
  /** Its name cannot be changed. */
  update(domain: string, changes: Changes, options?: CallOptions): Promise<Domain>;
  delete(domain: string, options?: CallOptions): Promise<void>;
}

export function oneDomainCalls<Domain, New extends object, Changes extends object>(
  caller: Caller,
  contract: () => Promise<{ readonly domainResponse: z.ZodType<{ domain: Domain }> }>,
): OneDomainCalls<Domain, New, Changes> {
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
