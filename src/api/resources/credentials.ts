import type { z } from "zod";
import type { Caller, CallOptions } from "../calls/caller.js";
import type { CredentialV3 } from "../contract/v3/credentials.js";
import type { Credential, CredentialPage, NewCredential } from "../contract/v4/credentials.js";
import * as PATHS from "../contract/v4/paths.js";
import { byNumber } from "./pages.js";

export interface CredentialFilter {
  /** Credentials per page: 1 to 200. Default 20. */
  readonly limit?: number;
}

/** The answer when a credential is added. */
interface Added<OneCredential> {
  readonly credential: OneCredential;
  readonly requires_new_mx_check: boolean;
}

/** Calls for single credentials, the same in both versions apart from a credential's fields. */
export interface OneCredentialCalls<OneCredential> {
  /**
   * If `requires_new_mx_check` is true, as for a domain's first credential, sending by SMTP is blocked until the DKIM
   * and DMARC records exist (part 3).
   */
  create(domain: string, credential: NewCredential, options?: CallOptions): Promise<Added<OneCredential>>;
  /** Sets a new password. */
  update(
    domain: string,
    username: string,
    changes: { readonly password: string },
    options?: CallOptions,
  ): Promise<OneCredential>;
  delete(domain: string, username: string, options?: CallOptions): Promise<void>;
}

interface CredentialContract<OneCredential> {
  readonly credentialAddedResponse: z.ZodType<Added<OneCredential>>;
  readonly credentialResponse: z.ZodType<{ credential: OneCredential }>;
}

export function oneCredentialCalls<OneCredential>(
  caller: Caller,
  contract: () => Promise<CredentialContract<OneCredential>>,
): OneCredentialCalls<OneCredential> {
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

const contract = () => import("../contract/v4/credentials.js");

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
      byNumber((number) => page(domain, { ...filter, page: number }, options), "credentials", "username"),
  };
}

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

const contractV3 = () => import("../contract/v3/credentials.js");

export function credentialCallsV3(caller: Caller): CredentialCallsV3 {
  const page: CredentialCallsV3["page"] = async (domain, query = {}, options) => {
    const parameters = { domain };
    const request = { method: "GET", endpoint: PATHS.credentials, parameters, query: { ...query } } as const;
    return (await caller.ask(request, async () => (await contractV3()).credentialListResponse, options)).credentials;
  };

  return {
    ...oneCredentialCalls(caller, contractV3),
    page,
    list: (domain, filter, options) =>
      byNumber(
        async (number) => ({ credentials: await page(domain, { ...filter, page: number }, options) }),
        "credentials",
        "username",
      ),
  };
}
