import { type OutboundEmail, outboundEmailSchema } from "../../api/contract/v4/emails.js";
import { renderMustache } from "../../mustache/fill.js";
import type { Variables } from "../../mustache/variables.js";
import { invalidFields, notFound } from "../api-error.js";
import type { MustacheDialect } from "../control/settings.js";
import type { Mailbox } from "../mailbox.js";
import type { TemplateFields } from "../store/templates.js";
import { checkMustache } from "../template-check.js";
import { check, Problems } from "../validate.js";
import { isLocalPart, parseAddress } from "./address.js";
import { type Attachment, readAttachments } from "./attachments.js";

/** A mail that is ready to go out: everything checked, everything rendered. */
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

/** What is missing is found together with what else is wrong, not before it. */
const bodySchema = outboundEmailSchema.partial({ from: true, to: true });

/** How much of a wrong value a message quotes. */
const QUOTED_MAX = 100;

/** Where the mail is sent from. */
export interface SendingDomain {
  readonly name: string;
  /** How Mustache is read there. */
  readonly dialect: MustacheDialect;
  findTemplate(name: string): TemplateFields | undefined;
}

/**
 * Makes a message of a request's body.
 *
 * @throws ApiError: 400 with everything that is wrong with the body, 404 for a template that is not there (part 7).
 */
export function readMessage(body: Record<string, unknown>, domain: SendingDomain): OutboundMessage {
  const problems = new Problems();
  const request = check(bodySchema, body, problems);
  if (!request) throw invalidFields(problems.errors);

  checkFrom(request.from, problems);
  const to = readAddresses("to", request.to ?? [], problems);
  if (to.length === 0 && !problems.has("to")) problems.add("to", "to is required");
  const cc = readAddresses("cc", request.cc ?? [], problems);
  const bcc = readAddresses("bcc", request.bcc ?? [], problems);
  const [replyTo] = readAddresses("reply_to", request.reply_to ?? [], problems);
  const attachments = readAttachments(request.attachments ?? [], problems);
  const content = readContent(request, domain, problems);
  problems.throwIfFound();
  if (!content) throw notFound("There is no template of this name on the domain.");

  const from = { email: `${request.from}@${domain.name}`, name: null };
  return { from, to, cc, bcc, ...(replyTo && { replyTo }), attachments, ...content };
}

function checkFrom(from: string | undefined, problems: Problems): void {
  if (!from) problems.add("from", "from is required");
  else if (!isLocalPart(from)) problems.add("from", "from must be the local part of an address, without the domain");
}

/** Addresses as one or many; an empty text counts as none. */
function readAddresses(field: string, given: string | readonly string[], problems: Problems): Mailbox[] {
  const texts = typeof given === "string" ? [given].filter((text) => text !== "") : given;
  return texts.flatMap((text) => {
    const mailbox = parseAddress(text);
    if (!mailbox) problems.add(field, `${field} has an invalid address: ${JSON.stringify(text.slice(0, QUOTED_MAX))}`);
    return mailbox ?? [];
  });
}

type Content = Pick<OutboundMessage, "subject" | "text" | "html">;

/** The rendered subject and bodies; undefined where the request names a template that is not there. */
function readContent(request: Partial<OutboundEmail>, domain: SendingDomain, problems: Problems): Content | undefined {
  const template = request.template === undefined ? undefined : domain.findTemplate(request.template);
  if (request.template !== undefined && !template) return undefined;

  const subject = request.subject || template?.subject;
  if (!subject) problems.add("subject", "subject is required");
  else checkMustache("subject", subject, problems);
  const text = template ? template.text_body : request.text;
  const html = template ? template.html_body : request.html;
  if (!text && !html) problems.add("text", template ? "the template has no body" : "text or html is required");
  if (problems.found) return undefined;

  // Without a template the variables are not used, and only the subject is Mustache.
  const variables: Variables = (template && request.variables) ?? {};
  const { escapeSubject, escapeText, ...reading } = domain.dialect;
  const fill = (source: string, escaped: boolean) =>
    renderMustache(source, variables, { ...reading, escape: escaped ? "html" : "none" });
  return {
    subject: oneLine(fill(subject ?? "", escapeSubject)),
    ...(text && { text: template ? fill(text, escapeText) : text }),
    ...(html && { html: template ? fill(html, true) : html }),
  };
}

/** A header has one line: a value with line breaks in it must not start another header. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}
