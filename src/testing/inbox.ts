import { setTimeout as sleep } from "node:timers/promises";
import { LOCAL_PORT } from "../api/local.js";
import { LettershopError } from "../errors.js";
import { checkNames } from "../send/option-names.js";
import type { CapturedMail, Recipient } from "../service/mail/captured.js";
import { checkValue } from "./check-value.js";
import { localHttp } from "./local-http.js";
import { isStringPattern, matches, STRING_PATTERN, type StringPattern } from "./partial-match.js";
import { type ReceivedMail, readMail } from "./received-mail.js";

export interface InboxOptions {
  /** The local service's address. Default: the port that it prefers, `http://127.0.0.1:4680`. */
  readonly url?: string;
  /** Only mails that were sent from this domain. Default: from any. */
  readonly domain?: string;
}

export interface WaitOptions {
  /** The whole address, in any case. */
  readonly to: string;
  /** A part of the subject, or a pattern for it. */
  readonly subject?: StringPattern;
  /** Default 10,000 milliseconds. */
  readonly timeoutMs?: number;
}

/** What a running local service delivered, as recipients read it. */
export interface Inbox {
  /**
   * The next mail to somebody: the oldest that was sent after the inbox was opened and was not waited for before. Waits
   * for it where it has not come yet. What bounced or was refused never comes; what soft-bounced comes once the service's
   * clock was moved on. Whether the log shows it already does not matter.
   *
   * @throws {NoMailError} None came in time.
   */
  waitFor(options: WaitOptions): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** No mail came in the time that was given. Its message says what came instead. */
export class NoMailError extends LettershopError {
  override readonly name = "NoMailError";
  readonly code = "no_mail";
}

/** Between two looks, in milliseconds. */
const SHORTEST_PAUSE = 25;
const LONGEST_PAUSE = 250;

/** A mail to one of its recipients. */
interface Copy {
  readonly mail: CapturedMail;
  readonly recipient: Recipient;
}

/**
 * Opens an inbox on a running local service, for an end-to-end test of an application that sends there.
 *
 * @example
 * const inbox = await openInbox();
 * await page.getByRole("button", { name: "Forgot password" }).click();
 * const mail = await inbox.waitFor({ to: "ada@example.com" });
 * await page.goto(mail.link("Choose a new password"));
 *
 * @throws {UnreachableError} No service runs there.
 */
export async function openInbox(options: InboxOptions = {}): Promise<Inbox> {
  checkNames<InboxOptions>("openInbox", options, { url: true, domain: true });
  const { url = `http://127.0.0.1:${LOCAL_PORT}`, domain } = options;
  const http = localHttp(url);
  const { last: openedAt } = await http.json<{ last: number }>("GET", "/local/mails");
  const taken = new Set<string>();

  /** What was sent since the inbox was opened and was not waited for, oldest first. */
  async function untaken(to?: string): Promise<Copy[]> {
    const copies: Copy[] = [];
    for (let after = openedAt; ;) {
      const query = new URLSearchParams({ after: String(after), ...(to === undefined ? {} : { to }) });
      const { mails } = await http.json<{ mails: CapturedMail[] }>("GET", `/local/mails?${query.toString()}`);
      for (const mail of mails) copies.push(...mail.recipients.map((recipient) => ({ mail, recipient })));
      const newest = mails.at(-1);
      if (newest === undefined) break;
      after = newest.seq;
    }
    return copies.filter(
      ({ mail, recipient }) =>
        !taken.has(recipient.logId) &&
        (to === undefined || isSame(recipient.email, to)) &&
        (domain === undefined || isSame(mail.from.email.slice(mail.from.email.lastIndexOf("@") + 1), domain)),
    );
  }

  return {
    async waitFor(wait) {
      checkNames<WaitOptions>("inbox.waitFor", wait, { to: true, subject: true, timeoutMs: true });
      const { to, subject = "", timeoutMs = 10_000 } = wait;
      checkValue("inbox.waitFor", "to", to, typeof to === "string", "an address");
      checkValue("inbox.waitFor", "subject", subject, isStringPattern(subject), STRING_PATTERN);
      checkValue(
        "inbox.waitFor",
        "timeoutMs",
        timeoutMs,
        typeof timeoutMs === "number" && timeoutMs >= 0,
        "milliseconds from 0",
      );
      const deadline = performance.now() + timeoutMs;
      for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
        const copy = (await untaken(to)).find(
          ({ mail, recipient }) =>
            recipient.status === "DELIVERED" &&
            // A mail that another wait took while this one looked.
            !taken.has(recipient.logId) &&
            (typeof subject === "string" ? mail.subject.includes(subject) : matches(mail.subject, subject)),
        );
        if (copy !== undefined) {
          const { logId: id, email } = copy.recipient;
          taken.add(id);
          return readMail(await http.bytes("GET", `/mail/${encodeURIComponent(id)}/message.eml`), { id, to: email });
        }
        if (performance.now() + pause > deadline) throw noMail(to, timeoutMs, await untaken());
        await sleep(pause);
      }
    },
    close: async () => undefined,
  };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function noMail(to: string, timeoutMs: number, others: readonly Copy[]): NoMailError {
  const came = others.map(({ mail, recipient }) => `- to ${recipient.email}: ${mail.subject}${fate(recipient)}`);
  return new NoMailError(
    `No mail to ${to} came within ${timeoutMs / 1000} s. ${came.length === 0 ? "None came to others." : `What came and was not waited for:\n${came.join("\n")}`}`,
  );
}

/** What became of a mail that was not delivered. */
function fate({ status, events }: Recipient): string {
  const last = events.at(-1);
  return status === "DELIVERED" || last === undefined ? "" : ` (${status}: ${last.code} ${last.message})`;
}
