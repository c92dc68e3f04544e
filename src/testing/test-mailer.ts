import type { OutboundEmail } from "../api/contract/v4/emails.js";
import { LOCAL_DOMAIN } from "../api/local.js";
import type { Variables } from "../mustache/variables.js";
import type { Mailer, Sent } from "../send/mailer.js";
import type { SendOptions } from "../send/message/envelope.js";
import { type Preparation, preparePlainEmail, prepareTemplateEmail } from "../send/message/prepare.js";
import type { Registry, RegistryEntry } from "../template/registry.js";

export interface TestMailerOptions<Types extends object> {
  readonly templates: Registry<Types>;
  /** As the application's mailer has it. */
  readonly from?: string;
  /** Default `example.test`. */
  readonly domain?: string;
  /** For `derive`. Default: the registry's. */
  readonly locale?: string;
  /** For `derive`. Default: the registry's. */
  readonly timeZone?: string;
}

/** What all recorded messages have. Addresses are as the service would have got them. */
export interface RecordedMessage {
  readonly id: string;
  readonly messageId: string;
  /** The whole address. */
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo?: string;
  readonly attachments: readonly RecordedAttachment[];
}

export interface RecordedAttachment {
  readonly filename: string;
  readonly content: Uint8Array;
  readonly contentType?: string;
  readonly contentId?: string;
}

export interface RecordedTemplateMail<Name, TemplateVariables> extends RecordedMessage {
  readonly template: Name;
  /** What the application passed. */
  readonly variables: TemplateVariables;
  /** What the tags would be filled with: what the schema and `derive` made of them. */
  readonly filled: Variables;
  /** Where the application replaced the template's; before it is filled. */
  readonly subject?: string;
}

export interface RecordedPlainMail extends RecordedMessage {
  readonly template?: undefined;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/** A message that a test mailer recorded; `template` tells which variables it has. */
export type RecordedMail<Types extends object> = TemplateMails<Types>[keyof Types & string] | RecordedPlainMail;

/** The recorded messages by template. */
export type TemplateMails<Types extends object> = {
  readonly [Name in keyof Types & string]: RecordedTemplateMail<Name, Types[Name]>;
};

export interface TestMailer<Types extends object> extends Mailer<Types> {
  /** What was sent, oldest first. */
  readonly sent: readonly RecordedMail<Types>[];
  /** Forgets what was sent. */
  clear(): void;
}

/**
 * A mailer for tests: checks as the real one does, throws the same errors, and records instead of sending. It needs no
 * key and no network, and has no pace.
 *
 * @example
 * const mailer = createTestMailer({ templates, from: "shop" });
 * await checkOut(cart, { mailer });
 * assertSent(mailer, "receipt", { to: "ada@example.com", variables: { order: { number: "7" } } });
 */
export function createTestMailer<Types extends object>(options: TestMailerOptions<Types>): TestMailer<Types> {
  const domain = options.domain ?? LOCAL_DOMAIN;
  const sent: RecordedMail<Types>[] = [];
  const preparation: Preparation = {
    templates: new Map(Object.entries<RegistryEntry>(options.templates.templates)),
    sender: { domain, from: options.from },
    context: {
      locale: options.locale ?? options.templates.locale ?? "en-US",
      timeZone: options.timeZone ?? options.templates.timeZone ?? "UTC",
    },
    remoteName: (name) => name,
  };
  let count = 0;

  function identify(): Sent {
    count += 1;
    return { outcome: "accepted", id: `test.${count}`, messageId: `<test.${count}@${domain}>` };
  }

  return {
    sent,
    clear: () => void sent.splice(0),
    async send<Name extends keyof Types & string>(template: Name, variables: Types[Name], delivery: SendOptions) {
      const email = await prepareTemplateEmail(template, variables, delivery, preparation);
      const identity = identify();
      const subject = email.subject === undefined ? {} : { subject: email.subject };
      const mail: TemplateMails<Types>[Name] = {
        ...record(email, identity, domain),
        template,
        variables,
        filled: email.variables,
        ...subject,
      };
      sent.push(mail);
      return identity;
    },
    async sendMessage(message) {
      const email = await preparePlainEmail(message, preparation);
      const identity = identify();
      const { subject, text, html } = message;
      sent.push({
        ...record(email, identity, domain),
        subject,
        ...(text === undefined ? {} : { text }),
        ...(html === undefined ? {} : { html }),
      });
      return identity;
    },
    close: async () => undefined,
  };
}

function record(
  { from, to, cc, bcc, reply_to, attachments = [] }: OutboundEmail,
  { id, messageId }: Sent,
  domain: string,
): RecordedMessage {
  return {
    id,
    messageId,
    from: `${from}@${domain}`,
    to: list(to),
    cc: list(cc),
    bcc: list(bcc),
    ...(reply_to === undefined ? {} : { replyTo: reply_to }),
    attachments: attachments.map(({ filename, content, content_type, content_id }) => ({
      filename,
      content: new Uint8Array(Buffer.from(content, "base64")),
      ...(content_type === undefined ? {} : { contentType: content_type }),
      ...(content_id === undefined ? {} : { contentId: content_id }),
    })),
  };
}

function list(addresses: string | string[] | undefined): string[] {
  return typeof addresses === "string" ? [addresses] : (addresses ?? []);
}
