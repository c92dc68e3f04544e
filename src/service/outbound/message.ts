import { type OutboundAttachmentBody, outboundEmailSchema } from "../../api/contract/v4/emails.js";
import { ATTACHMENTS_BYTES, ATTACHMENTS_MAX, BLOCKED_EXTENSIONS } from "../../api/limits.js";
import { invalidFields, notFound } from "../http/api-error.js";
import type { MustacheDialect } from "../control/settings.js";
import type { Variables } from "../../mustache/variables.js";
import type { Mailbox } from "../store/log-rows.js";
import type { TemplateColumns } from "../store/templates.js";
import { check, isText, Problems } from "../http/validate.js";
import { isLocalPart, parseAddress } from "../address.js";
import { readContent } from "./content.js";

/** An email that is ready to be sent: everything is checked and rendered. */
export interface OutboundMessage {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo?: Mailbox;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments: readonly Attachment[];
}

/** The template that a message was rendered from, as named in the request. */
export interface TemplateUse {
  readonly template: string;
  readonly variables: Variables;
}

/** Required fields are optional here, so that missing ones are reported together with other problems. */
const bodySchema = outboundEmailSchema.partial({ from: true, to: true });

/** Maximum length of an invalid value that a message quotes. */
const QUOTED_MAX = 100;

/** Maximum number of recipients in to, cc and bcc together: as many as can be written in a fraction of a second. */
const RECIPIENTS_MAX = 2_000;

const LIST_LIMITS = { to: RECIPIENTS_MAX, cc: RECIPIENTS_MAX, bcc: RECIPIENTS_MAX, attachments: ATTACHMENTS_MAX };

/** The domain that the email is sent from. */
export interface SendingDomain {
  readonly name: string;
  /** Its Mustache behaviour. */
  readonly dialect: MustacheDialect;
  findTemplate(name: string): TemplateColumns | undefined;
}

/**
 * Creates a message from a request's body.
 *
 * @throws ApiError: 400 with every problem of the body, 404 for an unknown template (part 7).
 */
export function readMessage(
  body: Record<string, unknown>,
  domain: SendingDomain,
): { readonly message: OutboundMessage; readonly madeFrom?: TemplateUse } {
  const problems = new Problems();
  const request = check(bodySchema, withoutLongLists(body, problems), problems);
  if (!request) throw invalidFields(problems.errors);

  checkFrom(request.from, problems);
  const to = readAddresses("to", request.to ?? [], problems);
  if (to.length === 0 && !problems.has("to")) problems.add("to", "to is required");
  const cc = readAddresses("cc", request.cc ?? [], problems);
  const bcc = readAddresses("bcc", request.bcc ?? [], problems);
  const [replyTo] = readAddresses("reply_to", request.reply_to ?? [], problems);
  if (to.length + cc.length + bcc.length > RECIPIENTS_MAX) {
    problems.add("to", `to, cc and bcc may have at most ${RECIPIENTS_MAX} addresses together`);
  }
  const attachments = readAttachments(request.attachments ?? [], problems);
  const content = readContent(request, domain, problems);
  if (problems.found) throw invalidFields(problems.errors);
  if (!content) throw notFound("There is no template with this name on the domain.");

  const from = { email: `${request.from}@${domain.name}`, name: null };
  const message = { from, to, cc, bcc, ...(replyTo && { replyTo }), attachments, ...content };
  const { template, variables = {} } = request;
  return { message, ...(template && { madeFrom: { template, variables } }) };
}

/** A list that is too long is rejected as a whole, because nobody wants a million messages. */
function withoutLongLists(body: Record<string, unknown>, problems: Problems): Record<string, unknown> {
  const shortened = { ...body };
  for (const [field, max] of Object.entries(LIST_LIMITS)) {
    const list = body[field];
    if (!Array.isArray(list) || list.length <= max) continue;
    problems.add(field, `${field} may have at most ${max} items`);
    delete shortened[field];
  }
  return shortened;
}

function checkFrom(from: string | undefined, problems: Problems): void {
  if (!from) problems.add("from", "from is required");
  else if (!isLocalPart(from)) problems.add("from", "from must be the local part of an address, without the domain");
}

/** Addresses as a string or an array. An empty string counts as none. */
function readAddresses(field: string, value: string | readonly string[], problems: Problems): Mailbox[] {
  const texts = typeof value === "string" ? [value].filter((text) => text !== "") : value;
  return texts.flatMap((text) => {
    const mailbox = isText(text) ? parseAddress(text) : undefined;
    if (!mailbox) problems.add(field, `${field} has an invalid address: ${JSON.stringify(text.slice(0, QUOTED_MAX))}`);
    return mailbox ?? [];
  });
}

interface Attachment {
  readonly filename: string;
  readonly base64: string;
  readonly contentType?: string;
  /** Without angle brackets. */
  readonly contentId?: string;
}

const FIELD = "attachments";
const FILENAME_MAX = 255;
const TOKEN = "[A-Za-z0-9!#$&^_.+-]+";
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:\\s*;\\s*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\p{Cc}]*"))*$`, "u");
const CONTENT_ID = /^<?([^<>\s\p{Cc}]+)>?$/u;

/** Decodes the attachments. Violations of the documents' rules (part 7) are added to the problems. */
function readAttachments(uploaded: readonly OutboundAttachmentBody[], problems: Problems): Attachment[] {
  const attachments = uploaded.flatMap(
    (attachment, index) => readAttachment(attachment, `${FIELD}[${index}]`, problems) ?? [],
  );
  const total = attachments.reduce((bytes, { base64 }) => bytes + Buffer.byteLength(base64, "base64"), 0);
  if (total > ATTACHMENTS_BYTES) {
    problems.add(FIELD, `${FIELD} may have at most ${ATTACHMENTS_BYTES / 1024 / 1024} MB in total`);
  }
  return attachments;
}

function readAttachment(attachment: OutboundAttachmentBody, place: string, problems: Problems): Attachment | undefined {
  const refusals = [...filenameRefusals(attachment.filename), ...typeRefusals(attachment)];
  if (attachment.content === "") refusals.push(".content is required");
  else if (!isBase64(attachment.content)) refusals.push(".content is not valid base64");
  for (const refusal of refusals) problems.add(FIELD, `${place}${refusal}`);
  if (refusals.length > 0) return undefined;
  const contentId = CONTENT_ID.exec(attachment.content_id ?? "")?.[1];
  return {
    filename: attachment.filename,
    base64: attachment.content,
    ...(attachment.content_type === undefined ? {} : { contentType: attachment.content_type }),
    ...(contentId === undefined ? {} : { contentId }),
  };
}

function filenameRefusals(filename: string): string[] {
  if (filename.trim() === "") return [".filename is required"];
  if (filename.length > FILENAME_MAX) return [`.filename may have at most ${FILENAME_MAX} characters`];
  if (!isText(filename)) return [".filename has invalid characters"];
  if (/\p{Cc}/u.test(filename)) return [".filename has control characters"];
  const extension = extensionOf(filename);
  return BLOCKED_EXTENSIONS.has(extension) ? [`.filename has the extension ${extension}, which is blocked`] : [];
}

function typeRefusals({ content_type: contentType, content_id: contentId }: OutboundAttachmentBody): string[] {
  const refusals = [];
  // A multipart type needs parts, which a single file does not have.
  const valid =
    contentType === undefined ||
    (isText(contentType) && CONTENT_TYPE.test(contentType) && !/^multipart\//i.test(contentType));
  if (!valid) refusals.push(".content_type is not a valid content type");
  if (contentId !== undefined && !(isText(contentId) && CONTENT_ID.test(contentId)))
    refusals.push(".content_id is not valid");
  return refusals;
}

/** In lower case. Windows ignores dots and spaces at the end of a name, so `a.exe. ` is an exe file. */
function extensionOf(filename: string): string {
  const name = filename.replace(/[.\s]+$/u, "");
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

/** Base64 as in RFC 4648, padded and without line breaks. Only canonical encodings are valid. */
function isBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}
