import type { Caller, CallOptions } from "../../calls/caller.js";
import type { Credential, CredentialPage } from "../../contract/v4/credentials.js";
import * as PATHS from "../../contract/v4/paths.js";
import { type CredentialFilter, type OneCredentialCalls, oneCredentialCalls } from "../credentials.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";

/**
 * Credentials for sending by SMTP, a premium feature. A password can be written but never read, and is never part of an
 * error.
 */
export interface CredentialCalls extends OneCredentialCalls<Credential> {
  /** Every credential of the domain, read page by page during iteration. */
  list(domain: string, filter?: CredentialFilter, options?: CallOptions): AsyncIterable<Credential>;
  /** One page; pages count from 1. */
  page(
    domain: string,
    filter?: CredentialFilter & { readonly page?: number },
    options?: CallOptions,
  ): Promise<CredentialPage>;
}

const contract = lazily(() => import("../../contract/v4/credentials.js"));

export function credentialCalls(caller: Caller): CredentialCalls {
  const page: CredentialCalls["page"] = (domain, query = {}, options) => {
    const parameters = { domain };
    const request = { method: "GET", endpoint: PATHS.credentials, parameters, query: { ...query } } as const;
    return caller.ask(request, async () => (await contract()).credentialListResponse, options);
  };

  return {
    ...oneCredentialCalls(caller, contract),
    page,
    list: (domain, filter, options) =>
      byNumber(
        (number) => page(domain, { ...filter, page: number }, options),
        ({ credentials }) => credentials,
        ({ username }) => username,
      ),
  };
}
