import { domainToASCII } from "node:url";
import type { RecipientsConfig } from "../../project/config.js";
import { ConfigurationError } from "../../errors.js";
import { matchesPattern } from "../../text/pattern.js";
import { readAddress, type Recipients, withoutEmpty, writeAddress } from "./addresses.js";
import { emailOf } from "../parcel.js";
import { collectProblems, type ReportProblem } from "../report.js";

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
