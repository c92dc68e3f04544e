import { setTimeout as sleep } from "node:timers/promises";
import { LOCAL_PORT } from "../api/local.js";
import { LettershopError } from "../errors.js";
import { checkNames } from "../send/check-options.js";
import type { CapturedMail, Recipient } from "../service/mail/captured.js";
import { checkValue } from "./check-value.js";
import { isStringPattern, matches, STRING_PATTERN, type StringPattern } from "./partial-match.js";
import { type IncomingMessage, request } from "node:http";
import { type RequestFacts, UnreachableError } from "../api/errors.js";
import PostalMime from "postal-mime";
import { linkAndCode } from "./links.js";

export interface InboxOptions {
  /** The local service's URL. Default: the port that it prefers, `http://127.0.0.1:4680`. */
  readonly url?: string;
  /** Only messages from this domain. Default: from any. */
  readonly domain?: string;
}

export interface WaitOptions {
  /** The full address, in any case. */
  readonly to: string;
  /** Part of the subject, or a pattern for it. */
  readonly subject?: StringPattern;
  /** Timeout in ms. Default 10,000. */
  readonly timeoutMs?: number;
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
  /** What the service received for its domains and forwarded, as the destinations get it. */
  readonly forwarded: {
    /**
     * The next email that was forwarded to an address.
     *
     * @throws {NoMailError} None was in time.
     */
    waitFor(options: WaitOptions): Promise<ReceivedMail>;
  };
  close(): Promise<void>;
}

/** No message arrived in time. The error lists what arrived instead. */
export class NoMailError extends LettershopError {
  override readonly name = "NoMailError";
  readonly code = "no_mail";
}

const SHORTEST_PAUSE = 25;
const LONGEST_PAUSE = 250;

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
  const context = { http, openedAt, domain };
  return {
    waitFor: waitingIn("sent", "inbox.waitFor", context),
    forwarded: { waitFor: waitingIn("forwarded", "inbox.forwarded.waitFor", { ...context, domain: undefined }) },
    close: async () => undefined,
  };
}

/** Waits for the messages of a folder. */
function waitingIn(
  folder: "sent" | "forwarded",
  caller: string,
  {
    http,
    openedAt,
    domain,
  }: { readonly http: ReturnType<typeof localHttp>; readonly openedAt: number; readonly domain: string | undefined },
): Inbox["waitFor"] {
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
        (to === undefined || isSame(recipient.email, to)) &&
        (domain === undefined || isSame(mail.from.email.slice(mail.from.email.lastIndexOf("@") + 1), domain)),
    );
  }

  return async (wait) => {
    checkNames<WaitOptions>(caller, wait, { to: true, subject: true, timeoutMs: true });
    const { to, subject = "", timeoutMs = 10_000 } = wait;
    checkValue(caller, "to", to, typeof to === "string", "an email address");
    checkValue(caller, "subject", subject, isStringPattern(subject), STRING_PATTERN);
    checkValue(
      caller,
      "timeoutMs",
      timeoutMs,
      typeof timeoutMs === "number" && timeoutMs >= 0,
      "a number of milliseconds, 0 or more",
    );
    const deadline = performance.now() + timeoutMs;
    for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const copy = (await pendingCopies(to)).find(
        ({ mail, recipient }) =>
          recipient.status === "DELIVERED" &&
          // Another call may have returned it during this request.
          !taken.has(recipient.logId) &&
          (typeof subject === "string" ? mail.subject.includes(subject) : matches(mail.subject, subject)),
      );
      if (copy !== undefined) {
        const { logId: id, email } = copy.recipient;
        taken.add(id);
        return readMail(await http.bytes("GET", `/mail/${encodeURIComponent(id)}/message.eml`), { id, to: email });
      }
      if (performance.now() + pause > deadline) throw noMail(to, timeoutMs, await pendingCopies());
      await sleep(pause);
    }
  };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function noMail(to: string, timeoutMs: number, others: readonly Copy[]): NoMailError {
  const came = others.map(({ mail, recipient }) => `- to ${recipient.email}: ${mail.subject}${fate(recipient)}`);
  return new NoMailError(
    `No message to ${to} arrived within ${timeoutMs / 1000} s. ${came.length === 0 ? "None arrived for others." : `Other messages:\n${came.join("\n")}`}`,
  );
}

/** Why an email was not delivered. */
function fate({ status, events }: Recipient): string {
  const last = events.at(-1);
  return status === "DELIVERED" || last === undefined ? "" : ` (${status}: ${last.code} ${last.message})`;
}

/** The local service refused a test's request. The message says why, and what is available instead. */
export class LocalServiceError extends LettershopError {
  override readonly name = "LocalServiceError";
  readonly code = "local_service";

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** The problems, by field. */
    readonly fieldErrors: Readonly<Record<string, readonly string[]>>,
  ) {
    super(message);
  }
}

/**
 * Sends requests to a running local service's own paths.
 *
 * @param url The service's URL, without a path.
 */
export function localHttp(url: string) {
  async function bytes(method: string, path: string, body?: unknown): Promise<Buffer> {
    const target = new URL(path, url);
    const { status, content } = await exchange(method, target, body);
    if (status >= 200 && status < 300) return content;
    const { message = `it answered ${status}`, errors = {} } = readRefusal(content);
    throw new LocalServiceError(
      `The local service at ${target.origin} refused ${method} ${path}: ${message}`,
      status,
      errors,
    );
  }
  return {
    bytes,
    // Its format is that of the service in this same version.
    async json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      return JSON.parse((await bytes(method, path, body)).toString("utf8"));
    },
  };
}

async function exchange(method: string, url: URL, body: unknown): Promise<{ status: number; content: Buffer }> {
  const facts: RequestFacts = { method, path: url.pathname, url: `${url.origin}${url.pathname}` };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      request(url, { method, headers, agent: false })
        .once("response", resolve)
        .once("error", reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return { status: answer.statusCode ?? 0, content: Buffer.concat(chunks) };
  } catch (cause) {
    throw new UnreachableError(facts, false, "is the local service running there?", cause);
  }
}

function readRefusal(content: Buffer): { message?: string; errors?: Record<string, string[]> } {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return {};
  }
}

/** An email as its recipient sees it. */
export interface ReceivedMail {
  /** The id of the recipient's log entry. */
  readonly id: string;
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Uint8Array;
  }[];
  /**
   * The URL of a link to click.
   *
   * @example
   * mail.link("Choose a new password"); // by its text
   * mail.link(/\/reset\?/); // by its URL
   * mail.link(); // the only one, or the only one with a token in it
   *
   * @throws {Error} No link matches, or links to several URLs do.
   */
  link(which?: string | RegExp): string;
  /**
   * A code to enter: the only number of 4 to 8 digits that is not a year or an amount, otherwise the only such mix of
   * digits and capital letters; or the match of a pattern (its first group, if it has one).
   *
   * @throws {Error} There is no code, or there are several.
   */
  code(pattern?: RegExp): string;
}

/** Parses the source of an email (RFC 5322). */
export async function readMail(
  source: string | Uint8Array,
  entry: { readonly id: string; readonly to: string },
): Promise<ReceivedMail> {
  const {
    messageId = "",
    from,
    subject = "",
    text,
    html,
    attachments,
  } = await PostalMime.parse(source, { attachmentEncoding: "arraybuffer" });
  return {
    ...entry,
    messageId,
    from: from?.address ?? "",
    subject,
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ filename, mimeType, content }) => ({
      filename: filename ?? "",
      contentType: mimeType,
      content: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
    })),
    ...linkAndCode(subject, (part) => (part === "html" ? html : text)),
  };
}
