import type { Caller, CallOptions } from "../../calls/caller.js";
import type { AddedCredentialV3, CredentialV3 } from "../../contract/v3/credentials.js";
import { PATHS } from "../../contract/v3/paths.js";
import type { NewCredential } from "../../contract/v4/credentials.js";
import { lazily } from "../lazily.js";
import { byNumber } from "../pages.js";

export interface CredentialFilterV3 {
  /** Credentials on a page: 1 to 200. Default 20. */
  readonly limit?: number;
}

/** Credentials to send by SMTP, a premium feature. A password can be written, never read, and is in no error. */
export interface CredentialCallsV3 {
  /** Every credential of the domain, read page by page while it is iterated. */
  list(domain: string, filter?: CredentialFilterV3, options?: CallOptions): AsyncIterable<CredentialV3>;
  /** One page; pages count from 1. The service does not say how many there are. */
  page(
    domain: string,
    filter?: CredentialFilterV3 & { readonly page?: number },
    options?: CallOptions,
  ): Promise<CredentialV3[]>;
  /**
   * Where `requires_new_mx_check` is true, which it is for a domain's first, sending by SMTP is blocked until the DKIM
   * and DMARC records are there (part 3).
   */
  create(domain: string, credential: NewCredential, options?: CallOptions): Promise<Omit<AddedCredentialV3, "success">>;
  /** Sets another password. */
  update(
    domain: string,
    username: string,
    changes: { readonly password: string },
    options?: CallOptions,
  ): Promise<CredentialV3>;
  delete(domain: string, username: string, options?: CallOptions): Promise<void>;
}

const contract = lazily(() => import("../../contract/v3/credentials.js"));

export function credentialCallsV3(caller: Caller): CredentialCallsV3 {
  const page: CredentialCallsV3["page"] = async (domain, query = {}, options) => {
    const request = {
      method: "GET",
      endpoint: PATHS.credentials,
      parameters: { domain },
      query: { ...query },
    } as const;
    return (await caller.ask(request, async () => (await contract()).credentialListResponse, options)).credentials;
  };

  return {
    page,
    list: (domain, filter, options) =>
      byNumber(
        async (number) => ({ items: await page(domain, { ...filter, page: number }, options) }),
        ({ username }) => username,
      ),
    async create(domain, body, options) {
      const passwords = [body.password];
      const request = { method: "POST", endpoint: PATHS.credentials, parameters: { domain }, body, passwords } as const;
      const schema = async () => (await contract()).credentialAddedResponse;
      const { credential, requires_new_mx_check } = await caller.ask(request, schema, options);
      return { credential, requires_new_mx_check };
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
