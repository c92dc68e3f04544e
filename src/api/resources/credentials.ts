import type { z } from "zod";
import type { Caller, CallOptions } from "../calls/caller.js";
import type { NewCredential } from "../contract/v4/credentials.js";
import * as PATHS from "../contract/v4/paths.js";

export interface CredentialFilter {
  /** Credentials per page: 1 to 200. Default 20. */
  readonly limit?: number;
}

/** The answer when a credential is added. */
interface Added<Credential> {
  readonly credential: Credential;
  readonly requires_new_mx_check: boolean;
}

/** Calls for single credentials, the same in both versions apart from a credential's fields. */
export interface OneCredentialCalls<Credential> {
  /**
   * If `requires_new_mx_check` is true, as for a domain's first credential, sending by SMTP is blocked until the DKIM
   * and DMARC records exist (part 3).
   */
  create(domain: string, credential: NewCredential, options?: CallOptions): Promise<Added<Credential>>;
  /** Sets a new password. */
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
