import { setTimeout as sleep } from "node:timers/promises";
import type { InboxAccess } from "../../preview/server/access.js";
import type { OtherService } from "../../preview/contract.js";
import { OtherProjectError } from "./away.js";
import { type LocalMail, mailsSchema } from "./local-mails.js";
import { summaryOf } from "./mail-in-words.js";

/** How long the service may keep a question for the next mail. */
const WAIT_MS = 20_000;
/** The same while something is still to become of a mail. */
const SHORT_WAIT_MS = 1_000;
/** Between two looks for a service that does not answer. */
const PAUSE_MS = 400;
/** Of so many of the newest mails it is followed what becomes of them. */
const FOLLOWED = 50;

export interface FollowOptions {
  /** Asks the local service, wherever it is. */
  readonly ask: (path: string, signal: AbortSignal) => Promise<Response>;
  readonly listener: Parameters<InboxAccess["watch"]>[0];
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Reports new emails, changes of their status, deletions, and whether the service can be reached. */
export async function followMails({ ask, listener, signal }: FollowOptions): Promise<void> {
  let isReachable: boolean | undefined;
  let otherProject: string | undefined;
  let seen: number | undefined;
  let deletions = 0;
  /** Of mails to which more will happen, what has. */
  let underWay = new Map<string, string>();

  const tell = (is: boolean, other?: OtherService) => {
    if (is !== isReachable || other?.project !== otherProject) listener.reachable(is, other);
    isReachable = is;
    otherProject = other?.project;
  };
  const read = async (path: string, ms: number) => {
    const answer = await ask(path, AbortSignal.any([signal, AbortSignal.timeout(ms)]));
    return mailsSchema.parse(await answer.json());
  };
  const lookAgain = async () => {
    const { mails } = await read(`/local/mails?newest=${FOLLOWED}`, 5_000);
    for (const mail of mails) {
      const before = underWay.get(mail.id);
      if (before !== undefined && before !== courseOf(mail)) listener.mail(summaryOf(mail));
    }
    underWay = underWayIn(mails);
  };

  while (!signal.aborted) {
    try {
      if (isReachable !== true) {
        const { mails, last, ...now } = await read(`/local/mails?newest=${FOLLOWED}`, 2_000);
        // Fewer than before: its data are others now.
        if (seen === undefined || last < seen) seen = last;
        deletions = now.deletions;
        underWay = underWayIn(mails);
        tell(true);
      }
      const wait = underWay.size > 0 ? SHORT_WAIT_MS : WAIT_MS;
      const query = `after=${seen}&deletions=${deletions}&wait=${wait}`;
      const { mails, ...now } = await read(`/local/mails?${query}`, wait + 5_000);
      for (const mail of mails) listener.mail(summaryOf(mail));
      if (now.deletions !== deletions) listener.deleted();
      deletions = now.deletions;
      seen = mails.at(-1)?.seq ?? seen;
      if (underWay.size > 0) await lookAgain();
      for (const [id, course] of underWayIn(mails)) underWay.set(id, course);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof OtherProjectError) tell(false, { url: error.url, project: error.project });
      else tell(false);
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function underWayIn(mails: readonly LocalMail[]): Map<string, string> {
  const waiting = mails.filter(({ recipients }) =>
    recipients.some(({ status }) => status === "QUEUED" || status === "SOFT-BOUNCE"),
  );
  return new Map(waiting.map((mail) => [mail.id, courseOf(mail)]));
}

/** All that has happened to it so far. */
function courseOf({ recipients }: LocalMail): string {
  return recipients.map(({ events }) => events.length).join();
}
