import { type Caller, createCaller } from "./calls/caller.js";
import { fetchTransport } from "./calls/fetch-transport.js";
import type { Client, ClientOptions, ClientV3 } from "./client.js";
import { lazily } from "./resources/lazily.js";
import { accountCallsV3 } from "./resources/v3/account.js";
import { domainCallsV3 } from "./resources/v3/domains.js";
import { logCallsV3 } from "./resources/v3/logs.js";
import { accountCalls } from "./resources/v4/account.js";
import { domainCalls } from "./resources/v4/domains.js";
import { emailCalls } from "./resources/v4/emails.js";
import { logCalls } from "./resources/v4/logs.js";
import { templateCalls } from "./resources/v4/templates.js";

/** The endpoints that sending needs: what an application bundles of the client. */
export type SendingClient = Pick<Client, "account" | "domains" | "emails" | "logs" | "templates" | "close">;
export type SendingClientV3 = Pick<ClientV3, keyof SendingClient>;

/** A client for a mailer, over the platform's fetch. */
export function createSendingClient(options: ClientOptions & { readonly version: "v3" }): SendingClientV3;
export function createSendingClient(options: ClientOptions & { readonly version?: "v4" }): SendingClient;
export function createSendingClient(options: ClientOptions): SendingClient | SendingClientV3;
export function createSendingClient({ version = "v4", ...options }: ClientOptions): SendingClient | SendingClientV3 {
  const caller = createCaller({ ...options, version }, fetchTransport);
  return version === "v3" ? sendingCallsV3(caller) : sendingCalls(caller);
}

export function sendingCalls(caller: Caller): SendingClient {
  return {
    account: accountCalls(caller),
    domains: domainCalls(caller),
    emails: emailCalls(caller),
    logs: logCalls(caller),
    templates: templateCalls(caller),
    close: () => caller.close(),
  };
}

const templatesV3 = lazily(() => import("./contract/v3/sending.js"));

export function sendingCallsV3(caller: Caller): SendingClientV3 {
  return {
    account: accountCallsV3(caller),
    domains: domainCallsV3(caller),
    emails: emailCalls(caller, { withSuccess: true }),
    logs: logCallsV3(caller),
    templates: templateCalls(caller, templatesV3),
    close: () => caller.close(),
  };
}
