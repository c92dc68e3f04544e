import type { Caller, CallOptions } from "../../calls/caller.js";
import type { CredentialV3 } from "../../contract/v3/credentials.js";
import * as PATHS from "../../contract/v3/paths.js";
import { type CredentialFilter, type OneCredentialCalls, oneCredentialCalls } from "../credentials.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";

/**
 * Credentials for sending by SMTP, a premium feature. A password can be written but never read, and is never part of an
 * error.
 */
export interface CredentialCallsV3 extends OneCredentialCalls<CredentialV3> {
  /** Every credential of the domain, read page by page during iteration. */
  list(domain: string, filter?: CredentialFilter, options?: CallOptions): AsyncIterable<CredentialV3>;
  /** One page; pages count from 1. The service does not return their number. */
  page(
    domain: string,
    filter?: CredentialFilter & { readonly page?: number },
    options?: CallOptions,
  ): Promise<CredentialV3[]>;
}

const contract = lazily(() => import("../../contract/v3/credentials.js"));

export function credentialCallsV3(caller: Caller): CredentialCallsV3 {
  const page: CredentialCallsV3["page"] = async (domain, query = {}, options) => {
    const parameters = { domain };
    const request = { method: "GET", endpoint: PATHS.credentials, parameters, query: { ...query } } as const;
    return (await caller.ask(request, async () => (await contract()).credentialListResponse, options)).credentials;
  };

  return {
    ...oneCredentialCalls(caller, contract),
    page,
    list: (domain, filter, options) =>
      byNumber(
        async (number) => ({
          credentials: await page(domain, { ...filter, page: number }, options),
          total: undefined,
        }),
        ({ credentials }) => credentials,
        ({ username }) => username,
      ),
  };
}
