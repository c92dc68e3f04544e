import type { z } from "zod";
import type { Caller, CallOptions } from "../calls/caller.js";
import type { NewCredential } from "../contract/v4/credentials.js";
import * as PATHS from "../contract/v4/paths.js";

export interface CredentialFilter {
  /** Credentials on a page: 1 to 200. Default 20. */
  readonly limit?: number;
}

/** What adding a credential answers. */
interface Added<Credential> {
  readonly credential: Credential;
  readonly requires_new_mx_check: boolean;
}

/** What is done with one credential, which is the same in both versions but for what a credential shows. */
export interface OneCredentialCalls<Credential> {
  /**
   * Where `requires_new_mx_check` is true, which it is for a domain's first, sending by SMTP is blocked until the DKIM
   * and DMARC records are there (part 3).
   */
  create(domain: string, credential: NewCredential, options?: CallOptions): Promise<Added<Credential>>;
  /** Sets another password. */
  update(
    domain: string,
    username: string,
    changes: { readonly password: string },
    options?: CallOptions,
  ): Promise<Credential>;
  delete(domain: string, username: string, options?: CallOptions): Promise<void>;
}

interface CredentialContract<Credential> {
  readonly credentialAddedResponse: z.ZodType<Added<Credential>>;
  readonly credentialResponse: z.ZodType<{ credential: Credential }>;
}

export function oneCredentialCalls<Credential>(
  caller: Caller,
  contract: () => Promise<CredentialContract<Credential>>,
): OneCredentialCalls<Credential> {
  return {
    async create(domain, body, options) {
      const passwords = [body.password];
      const request = { method: "POST", endpoint: PATHS.credentials, parameters: { domain }, body, passwords } as const;
      const response = async () => (await contract()).credentialAddedResponse;
      const { credential, requires_new_mx_check } = await caller.ask(request, response, options);
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
