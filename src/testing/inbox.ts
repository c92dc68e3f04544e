import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "../api/client.js";
import type { LogEntry } from "../api/contract/v4/logs.js";
import { LOGS_LIMIT } from "../api/limits.js";
import { LOCAL_API_KEY, LOCAL_DOMAIN, LOCAL_PORT } from "../api/local.js";
import { LettershopError } from "../errors.js";
import { type ReceivedMail, readMail } from "./received-mail.js";

export interface InboxOptions {
  /** The local service's address. Default: the port that it prefers, `http://127.0.0.1:4680`. */
  readonly url?: string;
  /** Default `example.test`. */
  readonly domain?: string;
  /** Default: the local service's. */
  readonly apiKey?: string;
}

export interface WaitOptions {
  readonly to: string;
  /** A part of the subject, or a pattern for it. */
  readonly subject?: string | RegExp;
  /** Default 10,000 milliseconds. */
  readonly timeoutMs?: number;
}

/** What a running local service captured, as recipients read it. */
export interface Inbox {
  /**
   * The next mail to somebody: the oldest that came after the inbox was opened and was not waited for before. Waits for
   * it where it has not come yet.
   *
   * @throws {NoMailError} None came in time.
   */
  waitFor(options: WaitOptions): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** No mail came in the time that was given. Its message says what came instead. */
export class NoMailError extends LettershopError {
  readonly code = "no_mail";
}

/** Between two looks, in milliseconds: soon at first, then seldom enough for the service's limits. */
const SHORTEST_PAUSE = 25;
const LONGEST_PAUSE = 500;

/**
 * Opens an inbox on a running local service, for an end-to-end test of an application that sends there.
 *
 * @example
 * const inbox = await openInbox();
 * await page.getByRole("button", { name: "Forgot password" }).click();
 * const mail = await inbox.waitFor({ to: "ada@example.com" });
 * await page.goto(mail.link("Choose a new password"));
 */
export async function openInbox(options: InboxOptions = {}): Promise<Inbox> {
  const { url = `http://127.0.0.1:${LOCAL_PORT}`, domain = LOCAL_DOMAIN, apiKey = LOCAL_API_KEY } = options;
  const client = createClient({ baseUrl: url, apiKey });
  const newest = await recentEntries(client, domain);
  const known = new Set(newest.map(({ id }) => id));
  const openedAt = newest[0]?.created_at ?? "";
  const isNew = (entry: LogEntry) => !known.has(entry.id) && entry.created_at >= openedAt;

  return {
    async waitFor({ to, subject = "", timeoutMs = 10_000 }) {
      const deadline = performance.now() + timeoutMs;
      for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
        const entries = await recentEntries(client, domain, to);
        const entry = entries.findLast(
          (candidate) =>
            isNew(candidate) &&
            (typeof subject === "string" ? candidate.subject.includes(subject) : subject.test(candidate.subject)),
        );
        if (entry !== undefined) {
          known.add(entry.id);
          return readMail(await readSource(url, entry.id), { id: entry.id, to: entry.recipient.email });
        }
        if (performance.now() + pause > deadline)
          throw noMail(to, timeoutMs, (await recentEntries(client, domain)).filter(isNew));
        await sleep(pause);
      }
    },
    close: () => client.close(),
  };
}

/** Newest first. */
async function recentEntries(client: Client, domain: string, recipient?: string): Promise<readonly LogEntry[]> {
  const { logs } = await client.logs.page(domain, {
    limit: LOGS_LIMIT.max,
    ...(recipient === undefined ? {} : { recipient }),
  });
  return logs;
}

/** The page that the local service shows captured mail on has its source, too. */
async function readSource(url: string, id: string): Promise<Uint8Array> {
  const response = await fetch(new URL(`/mail/${encodeURIComponent(id)}/message.eml`, url));
  if (!response.ok)
    throw new Error(`The service at ${url} does not show its mails (${response.status}); is it a local service?`);
  return new Uint8Array(await response.arrayBuffer());
}

function noMail(to: string, timeoutMs: number, others: readonly LogEntry[]): NoMailError {
  const came = others.map(({ recipient, subject }) => `- to ${recipient.email}: ${subject}`).join("\n");
  return new NoMailError(
    `No mail to ${to} came within ${timeoutMs / 1000} s. ${came === "" ? "None came to others." : `What came and was not waited for:\n${came}`}`,
  );
}
