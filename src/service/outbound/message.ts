import { outboundEmailSchema } from "../../api/contract/v4/emails.js";
import { ATTACHMENTS_MAX } from "../../api/limits.js";
import { invalidFields, notFound } from "../http/api-error.js";
import type { MustacheDialect } from "../control/settings.js";
import type { Variables } from "../../mustache/variables.js";
import type { Mailbox } from "../mailbox.js";
import type { TemplateFields } from "../store/templates.js";
import { isText } from "../text.js";
import { check, Problems } from "../http/validate.js";
import { isLocalPart, parseAddress } from "./address.js";
import { type Attachment, readAttachments } from "./attachments.js";
import { readContent } from "./content.js";

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

/** The template that a message was made from, as the request named it. */
export interface MadeFrom {
  readonly template: string;
  readonly variables: Variables;
}

/** What is missing is found together with what else is wrong, not before it. */
const bodySchema = outboundEmailSchema.partial({ from: true, to: true });

/** How much of a wrong value a message quotes. */
const QUOTED_MAX = 100;

/** Of to, cc and bcc together: as many as are written down in a fraction of a second. */
const RECIPIENTS_MAX = 2_000;

const LIST_LIMITS = { to: RECIPIENTS_MAX, cc: RECIPIENTS_MAX, bcc: RECIPIENTS_MAX, attachments: ATTACHMENTS_MAX };

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
export function readMessage(
  body: Record<string, unknown>,
  domain: SendingDomain,
): { readonly message: OutboundMessage; readonly madeFrom?: MadeFrom } {
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
  problems.throwIfFound();
  if (!content) throw notFound("There is no template of this name on the domain.");

  const from = { email: `${request.from}@${domain.name}`, name: null };
  const message = { from, to, cc, bcc, ...(replyTo && { replyTo }), attachments, ...content };
  const { template, variables = {} } = request;
  return { message, ...(template && { madeFrom: { template, variables } }) };
}

/** A list that is too long is refused as a whole: nobody wants to be told of each of a million items. */
function withoutLongLists(body: Record<string, unknown>, problems: Problems): Record<string, unknown> {
  const shortened = { ...body };
  for (const [field, max] of Object.entries(LIST_LIMITS)) {
    const list = body[field];
    if (!Array.isArray(list) || list.length <= max) continue;
    problems.add(field, `${field} may be at most ${max}`);
    delete shortened[field];
  }
  return shortened;
}

function checkFrom(from: string | undefined, problems: Problems): void {
  if (!from) problems.add("from", "from is required");
  else if (!isLocalPart(from)) problems.add("from", "from must be the local part of an address, without the domain");
}

/** Addresses as one or many; an empty text counts as none. */
function readAddresses(field: string, given: string | readonly string[], problems: Problems): Mailbox[] {
  const texts = typeof given === "string" ? [given].filter((text) => text !== "") : given;
  return texts.flatMap((text) => {
    const mailbox = isText(text) ? parseAddress(text) : undefined;
    if (!mailbox) problems.add(field, `${field} has an invalid address: ${JSON.stringify(text.slice(0, QUOTED_MAX))}`);
    return mailbox ?? [];
  });
}
