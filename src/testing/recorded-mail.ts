import type { OutboundEmail } from "../api/resources/v4/emails.js";
import type { Variables } from "../mustache/variables.js";
import type { Sent } from "../send/delivery/parcel.js";
import type { Priority } from "../send/pace/priority.js";
import { findCode } from "./codes.js";
import { wordsOf } from "./html-words.js";
import { findLink, linksInHtml, linksInText } from "./links.js";

/** What all recorded messages have. Addresses are as the service would have got them. */
export interface RecordedMessage {
  /** As `send` gave it. */
  readonly id: string;
  readonly messageId: string;
  /** The whole address. */
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo?: string;
  readonly priority: Priority;
  readonly attachments: readonly RecordedAttachment[];
  /** Filled, as its recipient reads it. */
  readonly subject: string;
  /**
   * Filled, as its recipient reads it.
   *
   * @throws {Error} The registry has no bodies: `templates types --bodies` writes them.
   */
  readonly text?: string;
  /** As `text`. */
  readonly html?: string;
  /**
   * The address of a link to click, as `mail.link` of a received mail.
   *
   * @throws {Error} None fits, or links to several addresses do; or as for `text`.
   */
  link(which?: string | RegExp): string;
  /**
   * A code to type, as `mail.code` of a received mail.
   *
   * @throws {Error} There is none, or there are several; or as for `text`.
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
  /** What the application passed. */
  readonly variables: TemplateVariables;
  /** What the service's tags would be filled with: what the schema and `derive` made of them. Empty where it is filled here. */
  readonly filled: Variables;
}

export interface RecordedPlainMail extends RecordedMessage {
  readonly template?: undefined;
  readonly variables?: undefined;
  readonly filled?: undefined;
}

/** A message that a test mailer recorded; `template` tells which variables it has. */
export type RecordedMail<Types extends object> = TemplateMails<Types>[keyof Types & string] | RecordedPlainMail;

/** The recorded messages by template. */
export type TemplateMails<Types extends object> = {
  readonly [Name in keyof Types & string]: RecordedTemplateMail<Name, Types[Name]>;
};

/** A recorded message of whatever template. */
export type AnyMail = RecordedMessage & { readonly template?: string | undefined; readonly variables?: unknown };

/** What its recipient reads; without html and text where nobody here knows them. */
export interface Content {
  readonly subject: string;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
}

/** What a message was made of. */
export interface Made {
  readonly template?: string | undefined;
  readonly variables?: unknown;
}

export interface Recording {
  readonly email: OutboundEmail;
  readonly sent: Sent;
  readonly domain: string;
  readonly priority: Priority;
  readonly made: Made;
  readonly content: Content;
}

/** Its bodies can be read, and are not shown where the message is: a failed test's output stays readable. */
export function recordedMail(recording: Recording): AnyMail {
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
        `The bodies of "${made.template}" are not in the registry. Write them there with "templates types --bodies" to read its ${part} in tests.`,
      );
    return content[part];
  };
  const members: Pick<RecordedMessage, "link" | "code"> = {
    link: (which) =>
      findLink(read("html") === undefined ? linksInText(read("text") ?? "") : linksInHtml(read("html") ?? ""), which),
    code: (pattern) => findCode(`${content.subject}\n${read("text") ?? wordsOf(read("html") ?? "")}`, pattern),
  };
  return Object.defineProperties(Object.assign(mail, members), {
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
