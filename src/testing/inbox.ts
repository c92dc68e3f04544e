import { LOCAL_PORT } from "../api/local.js";
import { checkNames } from "../send/check-options.js";
import type { CapturedMail, Recipient } from "../service/mail/captured.js";
import { checkValue } from "./check-value.js";
import { type LocalHttp, localHttp } from "./local-http.js";
import { type ReceivedMail, readMail } from "./received-mail.js";
import { fate, followReceived, isSameAddress, NoMailError, poll, readWait, type WaitOptions } from "./waiting.js";

export interface InboxOptions {
  /** The local service's URL. Default: the port that it prefers, `http://127.0.0.1:4680`. */
  readonly url?: string;
  /** Only sent messages from this domain. Default: from any. */
  readonly domain?: string;
}

/** The messages that a running local service delivered, as recipients see them. */
export interface Inbox {
  /**
   * The next message to an address: the oldest that was sent after the inbox was opened and was not returned before.
   * Waits until it arrives. Messages that bounced or were refused never arrive; soft-bounced ones arrive once the
   * service's clock is moved forward. Does not depend on the delivery log.
   *
   * @throws {NoMailError} None arrived in time.
   */
  waitFor(options: WaitOptions): Promise<ReceivedMail>;
  /** What the service received for its domains and forwarded to addresses, as they get it. */
  readonly forwarded: {
    /**
     * The next email that was forwarded to an address, with the same rules.
     *
     * @example
     * await service.receive({ from: "bob@shop.example", to: "sales@example.test", subject: "Order", text: "…" });
     * const mail = await service.inbox.forwarded.waitFor({ to: "ada@example.com" }); // the alias' destination
     *
     * @throws {NoMailError} None was in time. The error also lists what was received but not delivered, and why.
     */
    waitFor(options: WaitOptions): Promise<ReceivedMail>;
  };
  close(): Promise<void>;
}

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
  const http = localHttp("openInbox", url);
  const { last: openedAt } = await http.json<{ last: number }>("GET", "/local/mails");
  const undelivered = await followReceived(http);
  return {
    waitFor: waitingIn("sent", { http, openedAt, isFrom: (address) => domain === undefined || isAt(address, domain) }),
    forwarded: { waitFor: waitingIn("forwarded", { http, openedAt, isFrom: () => true, undelivered }) },
    close: async () => undefined,
  };
}

interface Folder {
  readonly http: LocalHttp;
  readonly openedAt: number;
  /** Whether messages of a sender are in the inbox. */
  readonly isFrom: (address: string) => boolean;
  /** Describes what never got into the folder. */
  readonly undelivered?: () => Promise<string>;
}

/** Waits for the messages of a folder. */
function waitingIn(
  folder: "sent" | "forwarded",
  { http, openedAt, isFrom, undelivered = async () => "" }: Folder,
): Inbox["waitFor"] {
  const caller = folder === "sent" ? "inbox.waitFor" : "inbox.forwarded.waitFor";
  const taken = new Set<string>();

  /** Messages that were sent since the inbox was opened and were not returned, oldest first. */
  async function pendingCopies(to?: string): Promise<Copy[]> {
    const copies: Copy[] = [];
    for (let after = openedAt; ;) {
      const query = new URLSearchParams({ folder, after: String(after), ...(to === undefined ? {} : { to }) });
      const { mails } = await http.json<{ mails: CapturedMail[] }>("GET", `/local/mails?${query.toString()}`);
      for (const mail of mails) copies.push(...mail.recipients.map((recipient) => ({ mail, recipient })));
      const newest = mails.at(-1);
      if (newest === undefined) break;
      after = newest.seq;
    }
    return copies.filter(
      ({ mail, recipient }) =>
        !taken.has(recipient.logId) &&
        (to === undefined || isSameAddress(recipient.email, to)) &&
        isFrom(mail.from.email),
    );
  }

  return async (options) => {
    const { hasSubject, timeoutMs } = readWait(caller, options);
    const { to } = options;
    checkValue(caller, "to", to, typeof to === "string", "an email address");
    const recipient = await poll(timeoutMs, async () => {
      const copies = await pendingCopies(to);
      const copy = copies.find(
        // Another call may have returned it during this request.
        (each) =>
          each.recipient.status === "DELIVERED" && !taken.has(each.recipient.logId) && hasSubject(each.mail.subject),
      );
      if (copy !== undefined) taken.add(copy.recipient.logId);
      return copy?.recipient;
    });
    if (recipient === undefined) throw noMail(to, timeoutMs, await pendingCopies(), await undelivered());
    const { logId: id, email } = recipient;
    return readMail(await http.bytes("GET", `/mail/${encodeURIComponent(id)}/message.eml`), { id, to: email });
  };
}

function isAt(address: string, domain: string): boolean {
  return isSameAddress(address.slice(address.lastIndexOf("@") + 1), domain);
}

function noMail(to: string, timeoutMs: number, others: readonly Copy[], undelivered: string): NoMailError {
  const came = others.map(
    ({ mail, recipient }) => `- to ${recipient.email}: ${mail.subject}${fate(recipient.events.at(-1))}`,
  );
  const instead = came.length === 0 ? "None arrived for others." : `Other messages:\n${came.join("\n")}`;
  const causes = undelivered === "" ? "" : `\n${undelivered}`;
  return new NoMailError(`No message to ${to} arrived within ${timeoutMs / 1000} s. ${instead}${causes}`);
}
