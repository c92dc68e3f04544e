import MailComposer from "nodemailer/lib/mail-composer";
import { z } from "zod";
import { LettershopError } from "../../errors.js";
import { nearest } from "../../text/nearest.js";
import { isRecord } from "../../values.js";
import { domainOf, parseAddress } from "../address.js";
import { ControlError, readControl } from "../http/read-control.js";
import { headersOf, type MailReader } from "../mail/mail-reader.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";
import { asUnreadable, type Envelope, type Refusal } from "./envelope.js";

const isAddress = (text: string) => parseAddress(text) !== undefined;

function addressField(name: string) {
  return z.string().refine(isAddress, { error: ({ input }) => `${name} is not an email address: ${String(input)}` });
}

const fromSchema = addressField("from");
const toSchema = z
  .union([addressField("to"), z.array(addressField("to"))], { error: "must be an email address or a list of them" })
  .transform((to) => [to].flat())
  .refine((to) => to.length > 0, "to has no address");

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const base64 = z.base64();
const contentSchema = z.custom<string | Uint8Array>(
  (value) => value instanceof Uint8Array || base64.safeParse(value).success,
  "attachments: content must be bytes, or a string in base64",
);

const attachmentSchema = z.strictObject({
  filename: z.string(),
  /** Base64, or bytes. */
  content: contentSchema,
  contentType: z.string().optional(),
});

const writtenSchema = z.strictObject({
  from: fromSchema,
  to: toSchema,
  subject: z.string().default(""),
  text: z.string().optional(),
  html: z.string().optional(),
  /** Further headers, by name. */
  headers: z.record(z.string(), z.string()).optional(),
  attachments: z.array(attachmentSchema).default([]),
});

const rawSchema = z.strictObject({
  /** In RFC 5322 format. */
  raw: z.union([z.string(), bytes], { error: "must be a string or bytes" }),
  /** The envelope's addresses; default: those of the headers. */
  from: fromSchema.optional(),
  to: toSchema.optional(),
});

type Written = z.output<typeof writtenSchema>;
type Raw = z.output<typeof rawSchema>;

/**
 * An email that a test lets the service receive:
 * - what it consists of. Attachments are bytes, or a string in base64;
 * - its source in RFC 5322 format, as a string or bytes. The envelope's addresses are those of its headers;
 * - `{ raw, from, to }`: its source, and the envelope's addresses if they differ from the headers.
 *
 * @example
 * const email: IncomingEmail = { from: "bob@shop.example", to: "sales@example.test", subject: "Invoice 17", text: "…" };
 */
export type IncomingEmail = z.input<typeof writtenSchema> | z.input<typeof rawSchema> | string | Uint8Array;

/** @throws ControlError with every problem. */
function readIncoming(email: unknown): Written | Raw {
  if (typeof email === "string" || email instanceof Uint8Array) return { raw: email };
  const schema = isRecord(email) && "raw" in email ? rawSchema : writtenSchema;
  return readControl<typeof rawSchema | typeof writtenSchema>(schema, email, Object.keys(schema.shape));
}

/** Why a test's email was refused: the SMTP response, and what is available instead. */
export interface RefusedResponse extends Refusal {
  readonly hint?: string | undefined;
}

/** The service refused an email, as it would by SMTP. */
export class RefusedError extends LettershopError {
  override readonly name = "RefusedError";
  readonly code = "refused";

  constructor(
    /** The response that an SMTP client would have got. */
    readonly response: RefusedResponse,
  ) {
    const { code, message, hint } = response;
    super(`The service refused the email: ${code} ${message}.${hint === undefined ? "" : ` ${hint}`}`);
  }
}

const NOBODY = { from: undefined, to: [], cc: [] };
const CLIENT = "localhost ([127.0.0.1])";

/**
 * The envelope and the source of a test's email.
 *
 * @throws ControlError if it is not an email; RefusedError if its headers are needed and can't be read.
 */
export async function composeIncoming(
  input: unknown,
  reader: MailReader,
): Promise<{ readonly envelope: Envelope; readonly source: Uint8Array }> {
  const email = readIncoming(input);
  if ("raw" in email) return await readRaw(email, reader);
  const { from, to, subject, text, html, headers, attachments } = email;
  const composer = new MailComposer({
    from,
    to,
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(headers && { headers }),
    attachments: attachments.map(({ filename, content, contentType }) => ({
      filename,
      ...(typeof content === "string" ? { content, encoding: "base64" } : { content: Buffer.from(content) }),
      ...(contentType !== undefined && { contentType }),
    })),
    newline: "win",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const source = await composer.compile().build();
  return { envelope: { sender: plain(from), recipients: to.map(plain), client: CLIENT }, source };
}

async function readRaw({ raw, ...envelope }: Raw, reader: MailReader): ReturnType<typeof composeIncoming> {
  const source = typeof raw === "string" ? Buffer.from(raw) : raw;
  const isComplete = envelope.from !== undefined && envelope.to !== undefined;
  const { from, to, cc } = isComplete ? NOBODY : await reader.read(headersOf(source)).catch(refuseUnreadable);
  const recipients = envelope.to ?? [...to, ...cc].map(({ email }) => email);
  if (recipients.length === 0) {
    const message = "to is missing: the message has no header To. Its first line must be a header, not a blank line";
    throw new ControlError({ to: [message] });
  }
  const sender = plain(envelope.from ?? from?.email ?? "");
  return { envelope: { sender, recipients: recipients.map(plain), client: CLIENT }, source };
}

function refuseUnreadable(error: unknown): never {
  throw new RefusedError(asUnreadable(error));
}

/** Without a display name. */
function plain(text: string): string {
  return parseAddress(text)?.email ?? text;
}

/** Maximum number of names in a list. */
const NAMES_MAX = 10;

/** What is available instead of the domain or address that a test's email was refused for, as a sentence. */
export function hintOf(
  { recipients }: Envelope,
  { message }: Refusal,
  store: Pick<Store, "domains" | "aliases">,
): string | undefined {
  for (const address of recipients) {
    const name = domainOf(address);
    const domain = store.domains.findAnywhere(name)?.domain;
    if (!domain) return otherDomains(name, store.domains.names(NAMES_MAX));
    if (message.startsWith("5.1.1")) return otherAddresses(domain, store);
  }
  return undefined;
}

function otherDomains(name: string, names: readonly string[]): string {
  if (names.length === 0) return "It has no domains.";
  const near = nearest(name, names);
  return near === undefined ? `Its domains: ${names.join(", ")}.` : `Did you mean ${near}?`;
}

function otherAddresses({ id, name, routingEngine }: DomainRecord, { aliases }: Pick<Store, "aliases">): string {
  if (routingEngine === "rules") return `No active rule of ${name} matches, and it has no rules_fallback_email.`;
  const { rows, total } = aliases.list(id, {}, { order: "name_asc", limit: NAMES_MAX, page: 1 });
  if (rows.length === 0) return `${name} has no aliases: create one, with the API or in the seed.`;
  const others = total > rows.length ? ` and ${total - rows.length} more` : "";
  return `Aliases of ${name}: ${rows.map(({ alias }) => alias).join(", ")}${others}.`;
}
