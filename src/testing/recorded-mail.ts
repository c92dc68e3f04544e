import type { OutboundEmail } from "../api/resources/v4/emails.js";
import type { Variables } from "../mustache/variables.js";
import type { TemplateCall } from "../send/compose.js";
import type { Priority, Sent } from "../send/parcel.js";
import { linkAndCode } from "./links.js";

/** The fields of all recorded messages. Addresses are in the format that the service would receive. */
export interface RecordedMessage {
  /** The id that `send` returned. */
  readonly id: string;
  readonly messageId: string;
  /** The full address. */
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo?: string;
  readonly priority: Priority;
  readonly attachments: readonly RecordedAttachment[];
  /** Filled, as its recipient sees it. */
  readonly subject: string;
  /**
   * Filled, as its recipient sees it.
   *
   * @throws {Error} The registry has no bodies: `templates types --bodies` writes them.
   */
  readonly text?: string;
  /** Like `text`. */
  readonly html?: string;
  /**
   * The URL of a link to click, like `mail.link` of a received message.
   *
   * @throws {Error} No link matches, or links to several URLs do; or as for `text`.
   */
  link(which?: string | RegExp): string;
  /**
   * A code to enter, like `mail.code` of a received message.
   *
   * @throws {Error} There is no code, or there are several; or as for `text`.
   */
  code(pattern?: RegExp): string;
}

export interface RecordedAttachment {
  readonly filename: string;
  readonly content: Uint8Array;
  readonly contentType?: string;
  readonly contentId?: string;
}

export interface RecordedTemplateMail<Name, TemplateVariables> extends RecordedMessage {
  readonly template: Name;
  /** The variables that the application passed. */
  readonly variables: TemplateVariables;
  /**
   * The values for the service's tags: the result of the schema and `derive`. Empty if the message is filled locally.
   */
  readonly filled: Variables;
}

export interface RecordedPlainMail extends RecordedMessage {
  readonly template?: undefined;
  readonly variables?: undefined;
  readonly filled?: undefined;
}

/** A message that a test mailer recorded; `template` determines the type of its variables. */
export type RecordedMail<Types extends object> = TemplateMails<Types>[keyof Types & string] | RecordedPlainMail;

/** The recorded messages by template. */
export type TemplateMails<Types extends object> = {
  readonly [Name in keyof Types & string]: RecordedTemplateMail<Name, Types[Name]>;
};

/** A recorded message of any template. */
export type AnyMail = RecordedMessage & { readonly template?: string | undefined; readonly variables?: unknown };

/** What its recipient sees; without html and text if they are not known locally. */
export interface MailContent {
  readonly subject: string;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
}

export interface RecordingInput {
  readonly email: OutboundEmail;
  readonly sent: Sent;
  readonly domain: string;
  readonly priority: Priority;
  readonly made: TemplateCall;
  readonly content: MailContent;
}

/** Its bodies can be read, but are not printed with the message, to keep a failed test's output readable. */
export function recordedMail(recording: RecordingInput): AnyMail {
  const { email, sent, domain, priority, made, content } = recording;
  const { from, to, cc, bcc, reply_to, attachments = [] } = email;
  const mail = {
    id: sent.id,
    messageId: sent.messageId,
    ...(made.template === undefined
      ? {}
      : { template: made.template, variables: made.variables, filled: email.variables ?? {} }),
    from: `${from}@${domain}`,
    to: list(to),
    cc: list(cc),
    bcc: list(bcc),
    ...(reply_to === undefined ? {} : { replyTo: reply_to }),
    priority,
    attachments: attachments.map(recordedAttachment),
    subject: content.subject,
  };
  const read = (part: "html" | "text") => {
    if (content.html === undefined && content.text === undefined)
      throw new Error(
        `The registry has no bodies of "${made.template}". To read its ${part} in tests, run: templates types --bodies`,
      );
    return content[part];
  };
  return Object.defineProperties(Object.assign(mail, linkAndCode(content.subject, read)), {
    html: { get: () => read("html") },
    text: { get: () => read("text") },
    link: { enumerable: false },
    code: { enumerable: false },
  });
}

function recordedAttachment({
  filename,
  content,
  content_type,
  content_id,
}: NonNullable<OutboundEmail["attachments"]>[number]): RecordedAttachment {
  return {
    filename,
    content: new Uint8Array(typeof content === "string" ? Buffer.from(content, "base64") : content.bytes),
    ...(content_type === undefined ? {} : { contentType: content_type }),
    ...(content_id === undefined ? {} : { contentId: content_id }),
  };
}

function list(addresses: string | readonly string[] | undefined): readonly string[] {
  return typeof addresses === "string" ? [addresses] : (addresses ?? []);
}
