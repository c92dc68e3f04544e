import type { Caller, CallOptions } from "../../calls/caller.js";
import type { AddedCredential, Credential, CredentialPage, NewCredential } from "../../contract/v4/credentials.js";
import { PATHS } from "../../contract/v4/paths.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";

export interface CredentialFilter {
  /** Credentials on a page: 1 to 200. Default 20. */
  readonly limit?: number;
}

/** Credentials to send by SMTP, a premium feature. A password can be written, never read, and is in no error. */
export interface CredentialCalls {
  /** Every credential of the domain, read page by page while it is iterated. */
  list(domain: string, filter?: CredentialFilter, options?: CallOptions): AsyncIterable<Credential>;
  /** One page; pages count from 1. */
  page(
    domain: string,
    filter?: CredentialFilter & { readonly page?: number },
    options?: CallOptions,
  ): Promise<CredentialPage>;
  /**
   * Where `requires_new_mx_check` is true, which it is for a domain's first, sending by SMTP is blocked until the DKIM
   * and DMARC records are there (part 3).
   */
  create(domain: string, credential: NewCredential, options?: CallOptions): Promise<AddedCredential>;
  /** Sets another password. */
  update(
    domain: string,
    username: string,
    changes: { readonly password: string },
    options?: CallOptions,
  ): Promise<Credential>;
  delete(domain: string, username: string, options?: CallOptions): Promise<void>;
}

const contract = lazily(() => import("../../contract/v4/credentials.js"));

export function credentialCalls(caller: Caller): CredentialCalls {
  const page: CredentialCalls["page"] = (domain, query = {}, options) => {
    const request = {
      method: "GET",
      endpoint: PATHS.credentials,
      parameters: { domain },
      query: { ...query },
    } as const;
    return caller.ask(request, async () => (await contract()).credentialListResponse, options);
  };

  return {
    page,
    list: (domain, filter, options) =>
      byNumber(
        async (number) => {
          const { credentials, total } = await page(domain, { ...filter, page: number }, options);
          return { items: credentials, total };
        },
        ({ username }) => username,
      ),
    create(domain, body, options) {
      const passwords = [body.password];
      const request = { method: "POST", endpoint: PATHS.credentials, parameters: { domain }, body, passwords } as const;
      return caller.ask(request, async () => (await contract()).credentialAddedResponse, options);
    },
    async update(domain, username, body, options) {
      const parameters = { domain, username };
      const passwords = [body.password];
      const request = { method: "PUT", endpoint: PATHS.credential, parameters, body, passwords } as const;
      return (await caller.ask(request, async () => (await contract()).credentialResponse, options)).credential;
    },
    async delete(domain, username, options) {
      await caller.tell({ method: "DELETE", endpoint: PATHS.credential, parameters: { domain, username } }, options);
    },
  };
}
