import { checkNames, type Names } from "../send/option-names.js";
import type { MailerOptions } from "../send/options.js";
import { type RunningService, type ServiceOptions, startService } from "../service/start.js";
import { type Inbox, openInbox } from "./inbox.js";

export interface LocalService extends RunningService {
  /** The messages that it captures, as recipients see them. */
  readonly inbox: Inbox;
  /** Points a mailer here: `createMailer({ templates, from: "shop", ...service.mailerOptions })`. */
  readonly mailerOptions: Pick<MailerOptions<object>, "environment" | "url" | "domain" | "apiKey" | "sendsPerMinute">;
}

const OPTIONS: Names<ServiceOptions> = {
  data: true,
  port: true,
  host: true,
  project: true,
  limits: true,
  clock: true,
  assets: true,
  seed: true,
  dns: true,
  ownProcess: true,
  onError: true,
};

/**
 * Starts the local service for tests: on a free port, in memory and without rate limits, unless the options say
 * otherwise.
 *
 * @example
 * const service = await startLocalService();
 * const mailer = createMailer({ templates, from: "shop", ...service.mailerOptions });
 * await signUp("ada@example.com", { mailer });
 * const mail = await service.inbox.waitFor({ to: "ada@example.com" });
 * mail.code();
 * service.faults.add({ kind: "cut", endpoint: "emails.send", when: "after" }); // the next send's answer is lost
 * service.settings.set({ outcomes: { "bob@example.com": "hard-bounce" } });
 * service.clock.advance(60_000); // a minute later
 * await service.close();
 *
 * @param options Those of `startService`; `data` is a folder that templates were synced to.
 */
export async function startLocalService(options: Partial<ServiceOptions> = {}): Promise<LocalService> {
  checkNames("startLocalService", options, OPTIONS);
  const service = await startService({ data: ":memory:", port: 0, limits: false, ...options });
  const { url, domain, apiKey } = service;
  const inbox = await openInbox({ url });
  return {
    ...service,
    inbox,
    mailerOptions: {
      environment: "local",
      url,
      domain,
      apiKey,
      ...(options.limits === true ? {} : { sendsPerMinute: Number.POSITIVE_INFINITY }),
    },
    async close() {
      await inbox.close();
      await service.close();
    },
  };
}
