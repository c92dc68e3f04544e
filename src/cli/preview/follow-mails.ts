import { setTimeout as sleep } from "node:timers/promises";
import type { InboxAccess } from "../../preview/server/preview-access.js";
import type { OtherService } from "../../preview/contract.js";
import { type LocalMail, mailsSchema, OtherProjectError, summaryOf } from "./mail-summary.js";

/** How long the service may hold a request until the next message arrives, in ms. */
const WAIT_MS = 20_000;
/** The same while a message's delivery is pending. */
const SHORT_WAIT_MS = 1_000;
/** Pause between attempts to reach the service, in ms. */
const PAUSE_MS = 400;
/** How many of the newest messages to follow for status changes. */
const FOLLOWED = 50;

export interface FollowOptions {
  /** Sends a request to the local service at its current URL. */
  readonly ask: (path: string, signal: AbortSignal) => Promise<Response>;
  readonly listener: Parameters<InboxAccess["watch"]>[0];
  /** Stops following. */
  readonly signal: AbortSignal;
}

/** Reports new messages, status changes, deletions, and whether the service is reachable. */
export async function followMails({ ask, listener, signal }: FollowOptions): Promise<void> {
  let isReachable: boolean | undefined;
  let otherProject: string | undefined;
  let seen: number | undefined;
  let deletions = 0;
  /** The events so far of messages whose delivery is pending, by ID. */
  let pending = new Map<string, string>();

  const report = (isReachableNow: boolean, other?: OtherService) => {
    if (isReachableNow !== isReachable || other?.project !== otherProject) listener.reachable(isReachableNow, other);
    isReachable = isReachableNow;
    otherProject = other?.project;
  };
  const read = async (path: string, ms: number) => {
    const answer = await ask(path, AbortSignal.any([signal, AbortSignal.timeout(ms)]));
    return mailsSchema.parse(await answer.json());
  };
  const refreshPending = async () => {
    const { mails } = await read(`/local/mails?newest=${FOLLOWED}`, 5_000);
    for (const mail of mails) {
      const before = pending.get(mail.id);
      if (before !== undefined && before !== courseOf(mail)) listener.mail(summaryOf(mail));
    }
    pending = pendingIn(mails);
  };

  while (!signal.aborted) {
    try {
      if (isReachable !== true) {
        const { mails, last, ...now } = await read(`/local/mails?newest=${FOLLOWED}`, 2_000);
        // A lower number than before means that the service has new data.
        if (seen === undefined || last < seen) seen = last;
        deletions = now.deletions;
        pending = pendingIn(mails);
        report(true);
      }
      const wait = pending.size > 0 ? SHORT_WAIT_MS : WAIT_MS;
      const query = `after=${seen}&deletions=${deletions}&wait=${wait}`;
      const { mails, ...now } = await read(`/local/mails?${query}`, wait + 5_000);
      for (const mail of mails) listener.mail(summaryOf(mail));
      if (now.deletions !== deletions) listener.deleted();
      deletions = now.deletions;
      seen = mails.at(-1)?.seq ?? seen;
      if (pending.size > 0) await refreshPending();
      for (const [id, course] of pendingIn(mails)) pending.set(id, course);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof OtherProjectError) report(false, { url: error.url, project: error.project });
      else report(false);
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function pendingIn(mails: readonly LocalMail[]): Map<string, string> {
  const waiting = mails.filter(({ recipients }) =>
    recipients.some(({ status }) => status === "QUEUED" || status === "SOFT-BOUNCE"),
  );
  return new Map(waiting.map((mail) => [mail.id, courseOf(mail)]));
}

/** The message's events so far, as a string to compare. */
function courseOf({ recipients }: LocalMail): string {
  return recipients.map(({ events }) => events.length).join();
}
