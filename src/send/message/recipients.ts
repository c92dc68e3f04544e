import { domainToASCII } from "node:url";
import type { RecipientsConfig } from "../../project/config.js";
import { ConfigurationError } from "../../errors.js";
import { matchesPattern } from "../../text/pattern.js";
import { type Address, mailboxOf, readAddress, readAddresses, readFrom, writeAddress } from "./addresses.js";
import { type Envelope, isTimeout, type PassedOptions } from "./options.js";
import type { PrepareContext } from "./prepare.js";
import type { Problem } from "../errors.js";
import { emailOf, type Parcel } from "../parcel.js";
import { collectProblems, type ReportProblem } from "../report.js";

export interface Recipients {
  readonly to: string[];
  readonly cc?: string[];
  readonly bcc?: string[];
}

/** Restricts a message's recipients to those that its environment allows. */
export interface RecipientsPolicy {
  /** Reports an address that the environment doesn't send to. */
  readonly check: (address: string, path: string, report: ReportProblem) => void;
  /** Replaces recipients that the environment doesn't send to. */
  readonly redirect: (recipients: Recipients) => Recipients;
}

/**
 * @example
 * const policy = recipientsPolicy({ allow: ["@example.com"], redirectTo: "inbox@example.com" }, "staging");
 * policy.redirect({ to: ["ada@example.org", "bob@example.com"] });
 * // { to: ["bob@example.com", '"ada@example.org" <inbox@example.com>'] }
 *
 * @param environment Its name.
 * @throws {ConfigurationError} `redirectTo` is not an address.
 */
export function recipientsPolicy({ allow, redirectTo }: RecipientsConfig, environment: string): RecipientsPolicy {
  const allowed = allow.map(readPattern);
  const isAllowed = (email: string): boolean => {
    const { localPart, domain } = parts(email);
    return allowed.some((each) => each.domain === domain && matchesPattern(each.localPart, localPart));
  };
  if (redirectTo === undefined) {
    const hint = `add it to recipients.allow of the environment, or redirect such messages with recipients.redirectTo`;
    return {
      check(address, path, report) {
        if (!isAllowed(emailOf(address)))
          report(path, `is not a recipient that the environment "${environment}" allows; ${hint}`);
      },
      redirect: (recipients) => recipients,
    };
  }
  const inbox = readInbox(redirectTo, environment);
  return { check: () => undefined, redirect: (recipients) => redirected(recipients, inbox, isAllowed) };
}

/**
 * The inbox appears once, in the first field with a redirected recipient, with the original recipients as its name.
 * Recipients of blind copies are not named, because others would see them.
 */
function redirected(
  { to, cc = [], bcc = [] }: Recipients,
  inbox: string,
  isAllowed: (email: string) => boolean,
): Recipients {
  const isInbox = (address: string): boolean => emailOf(address).toLowerCase() === inbox.toLowerCase();
  const isRedirected = (address: string): boolean => !isAllowed(emailOf(address)) && !isInbox(address);
  const fields = { to, cc, bcc };
  if (!Object.values(fields).flat().some(isRedirected)) return withoutEmpty(fields);
  const visible = [...to, ...cc].filter(isRedirected).map(emailOf);
  const blind = bcc.filter(isRedirected).map(emailOf);
  const first = [to, cc, bcc].find((field) => field.some((address) => isRedirected(address) || isInbox(address)));
  const name = first === bcc ? listed(blind) : listed(visible, blind.length);
  const rewritten = (field: readonly string[]): string[] => {
    const allowedAddresses = field.filter((address) => !isRedirected(address) && !isInbox(address));
    return field === first ? [...allowedAddresses, writeAddress({ name, email: inbox })] : allowedAddresses;
  };
  return withoutEmpty({ to: rewritten(to), cc: rewritten(cc), bcc: rewritten(bcc) });
}

function withoutEmpty({ to, cc, bcc }: Required<Recipients>): Recipients {
  return { to, ...(cc.length > 0 && { cc }), ...(bcc.length > 0 && { bcc }) };
}

/** A header line may have 998 characters. */
const NAME_MAX = 500;

function listed(emails: readonly string[], others = 0): string {
  let text = "";
  let count = 0;
  for (const email of emails) {
    const longer = count === 0 ? email : `${text}, ${email}`;
    if (longer.length > NAME_MAX) break;
    text = longer;
    count += 1;
  }
  const more = emails.length - count + others;
  if (more === 0) return text;
  return count === 0 ? `${more} hidden` : `${text} and ${more} more`;
}

interface Parts {
  readonly localPart: string;
  readonly domain: string;
}

/** `@example.com` allows a whole domain. */
function readPattern(pattern: string): Parts {
  const { localPart, domain } = parts(pattern);
  return { localPart: localPart === "" ? "*" : localPart, domain };
}

function parts(email: string): Parts {
  const at = email.lastIndexOf("@");
  return { localPart: email.slice(0, at).toLowerCase(), domain: domainToASCII(email.slice(at + 1)) };
}

function readInbox(address: string, environment: string): string {
  const { problems, report } = collectProblems();
  const read = readAddress(address, "recipients.redirectTo", report);
  if (read !== undefined) return emailOf(read);
  throw new ConfigurationError(
    `recipients.redirectTo of the environment "${environment}" is not usable: ${problems.map(({ path, message }) => `${path} ${message}`).join("; ")}.`,
  );
}

/** A recipient's address and the option it came from. */
export interface CheckedRecipient {
  /** Such as `to[1]`. */
  readonly path: string;
  readonly email: string;
}

export interface Sender {
  readonly domain: string;
  readonly from?: string | undefined;
  /** Set if the environment restricts recipients. */
  readonly recipients?: RecipientsPolicy | undefined;
  /** Checks all recipients of a message at once, for suppressed addresses. */
  readonly check?: ((recipients: readonly CheckedRecipient[]) => Promise<readonly Problem[]>) | undefined;
}

/** The fields that messages have with and without a template. */
export async function readEnvelope(
  options: PassedOptions,
  { sender, publish, clock, timeoutMs }: PrepareContext,
  report: ReportProblem,
): Promise<Parcel["email"]> {
  const { signal } = options;
  // Each part's own check verifies its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { to, cc, bcc, replyTo, from = sender.from, attachments } = options as Partial<Envelope>;
  if (to === undefined || (Array.isArray(to) && to.length === 0))
    report("to", "is missing: a message has at least one recipient");
  const localPart = readFrom(from, sender.domain, report);
  const replyAddress = replyTo === undefined ? undefined : readAddress(replyTo, "replyTo", report);

  const recipients: CheckedRecipient[] = [];
  const read = (value: Address | readonly Address[] | undefined, field: string): string[] =>
    value === undefined
      ? []
      : readAddresses(value, field, report, (address, path) => {
          sender.recipients?.check(address, path, report);
          recipients.push({ path, email: emailOf(address) });
        });
  const fields = withoutDuplicates({ to: read(to, "to"), cc: read(cc, "cc"), bcc: read(bcc, "bcc") });
  if (sender.check !== undefined && recipients.length > 0)
    for (const { path, message } of await sender.check(recipients)) report(path, message);

  const files = async (): Promise<NonNullable<Parcel["email"]["attachments"]>> => {
    const { readAttachments } = await import("../attachments/attachments.js");
    return readAttachments(attachments, {
      report,
      publish,
      clock,
      timeoutMs: isTimeout(options.timeoutMs) ? options.timeoutMs : timeoutMs,
      signal: signal instanceof AbortSignal ? signal : undefined,
    });
  };
  return {
    from: localPart ?? "",
    ...(sender.recipients === undefined ? fields : sender.recipients.redirect(fields)),
    ...(replyAddress === undefined ? {} : { reply_to: replyAddress }),
    ...(attachments !== undefined && { attachments: await files() }),
  };
}

/**
 * A recipient named twice gets one email: each address stays in the first field that has it, so that `to` and `cc` go
 * before `bcc`.
 */
function withoutDuplicates(fields: Required<Recipients>): Recipients {
  const seen = new Set<string>();
  const first = (addresses: readonly string[]): string[] =>
    addresses.filter((address) => {
      const mailbox = mailboxOf(emailOf(address));
      return !seen.has(mailbox) && seen.add(mailbox);
    });
  return withoutEmpty({ to: first(fields.to), cc: first(fields.cc), bcc: first(fields.bcc) });
}
