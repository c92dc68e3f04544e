import { type Caller, type CallOptions, type ClientOptions, createCaller } from "./calls/caller.js";
import { fetchTransport } from "./calls/fetch-transport.js";
import * as PATHS_V3 from "./contract/v3/paths.js";
import * as PATHS from "./contract/v4/paths.js";
import { logCalls, logCallsV3 } from "./resources/logs.js";
import { emailCalls } from "./resources/emails.js";
import { answers, answersV3 } from "./sending-answers.js";

/** The part of a version 4 client that a mailer needs, and applications bundle for sending. */
export type SendingClient = ReturnType<typeof sendingCalls>;
/** The same for version 3. */
export type SendingClientV3 = ReturnType<typeof sendingCallsV3>;
export type VersionedClient =
  | { readonly version: "v4"; readonly client: SendingClient }
  | { readonly version: "v3"; readonly client: SendingClientV3 };

/** A client for a mailer, using the platform's fetch. */
export function createSendingClient(options: ClientOptions & { readonly version: "v3" }): SendingClientV3;
export function createSendingClient(options: ClientOptions & { readonly version?: "v4" }): SendingClient;
export function createSendingClient(options: ClientOptions): SendingClient | SendingClientV3;
export function createSendingClient({ version = "v4", ...options }: ClientOptions): SendingClient | SendingClientV3 {
  // All other paths that a mailer uses differ, whatever their parameters are.
  const paths = [PATHS.log, PATHS.logsCount, PATHS.logsSearch];
  const caller = createCaller({ ...options, version, paths }, fetchTransport);
  return version === "v3" ? sendingCallsV3(caller) : sendingCalls(caller);
}

function sendingCalls(caller: Caller) {
  return {
    account: {
      async get(options?: CallOptions) {
        const request = { method: "GET", endpoint: PATHS.account, parameters: {} } as const;
        return (await caller.ask(request, async () => answers.account, options)).account;
      },
    },
    domains: {
      async get(domain: string, options?: CallOptions) {
        const request = { method: "GET", endpoint: PATHS.domain, parameters: { domain } } as const;
        return (await caller.ask(request, async () => answers.domain, options)).domain;
      },
    },
    emails: emailCalls(caller, answers.accepted),
    logs: logCalls(caller, async () => answers.logs),
    templates: templateReads(caller, answers),
    close: () => caller.close(),
  };
}

function sendingCallsV3(caller: Caller) {
  return {
    account: {
      async get(options?: CallOptions) {
        const request = { method: "GET", endpoint: PATHS.account, parameters: {} } as const;
        return (await caller.ask(request, async () => answersV3.account, options)).account;
      },
    },
    domains: {
      async check(domain: string, options?: CallOptions) {
        const request = { method: "GET", endpoint: PATHS_V3.domainCheck, parameters: { domain } } as const;
        return caller.ask(request, async () => answersV3.check, options);
      },
    },
    emails: emailCalls(caller, answersV3.accepted),
    logs: logCallsV3(caller, async () => answersV3.logs),
    templates: templateReads(caller, answersV3),
    close: () => caller.close(),
  };
}

function templateReads(caller: Caller, { templates, template }: Pick<typeof answers, "templates" | "template">) {
  return {
    async list(domain: string, options?: CallOptions) {
      const request = { method: "GET", endpoint: PATHS.templates, parameters: { domain } } as const;
      return (await caller.ask(request, async () => templates, options)).templates;
    },
    async get(domain: string, name: string, options?: CallOptions) {
      const request = { method: "GET", endpoint: PATHS.template, parameters: { domain, name } } as const;
      return (await caller.ask(request, async () => template, options)).template;
    },
  };
}
