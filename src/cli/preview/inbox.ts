import { setTimeout as sleep } from "node:timers/promises";
import { locateLocalService } from "../../project/local-service.js";
import type { Latest } from "../../cache/memoize.js";
import type { OtherService, OwnService } from "../../preview/contract.js";
import type { InboxAccess } from "../../preview/server/preview-access.js";
import { AwayError, OtherProjectError } from "./away.js";
import type { SentFromPreview } from "../../preview/captured-mails.js";

/** Delay before the first request to the service, in ms. */
const FIRST_LOOK_MS = 500;

/**
 * The messages of the local service that a command in this folder would use, whenever it runs.
 *
 * @param sentHere What this preview itself has sent, by message ID.
 */
export function localInbox(projectFolder: string, sentHere: Pick<Latest<SentFromPreview>, "get">): InboxAccess {
  /** The URL of a service that has responded and is this project's; undefined once it stops responding. */
  let known: string | undefined;
  const reach = async (signal: AbortSignal): Promise<string> => {
    // Look it up each time: a restarted service may have a new port.
    const { url, isGiven } = locateLocalService(projectFolder);
    if (url === known || isGiven) return url;
    const { findOtherOwner } = await import("../../project/local-owner.js");
    const project = await findOtherOwner(url, projectFolder, signal).catch((cause: unknown) => {
      throw new AwayError(cause);
    });
    if (project !== undefined) throw new OtherProjectError(url, project);
    known = url;
    return url;
  };
  const failAway = (cause: unknown): never => {
    known = undefined;
    throw new AwayError(cause);
  };
  const ask = async (path: string, signal = AbortSignal.timeout(5_000), method = "GET"): Promise<Response> => {
    const url = await reach(signal);
    const answer = await fetch(new URL(path, url), { signal, method }).catch(failAway);
    if (answer.ok) return answer;
    await answer.body?.cancel();
    throw new NotFound(answer.status);
  };
  const openMail = async (id: string) => {
    const { openedSchema } = await import("../../preview/local-mails.js");
    return openedSchema.parse(await (await ask(`/local/mails/${id}`)).json());
  };
  const readSource = async (id: string) => (await ask(`/mail/${id}/message.eml`)).arrayBuffer();

  const readMails = async (query: string, signal?: AbortSignal) => {
    const { mailsSchema } = await import("../../preview/local-mails.js");
    return mailsSchema.parse(await (await ask(`/local/mails?${query}`, signal)).json());
  };
  const identify = async (signal: AbortSignal): Promise<OwnService> => {
    const url = await reach(signal);
    const { identifyService } = await import("../../project/local-owner.js");
    const { smtpPort } = await identifyService(url, signal).catch(failAway);
    return { url, ...(smtpPort !== undefined && { smtpPort }) };
  };
  /** Deleting many messages takes long, hence the long timeout. */
  const remove = (path: string) => ask(path, AbortSignal.timeout(60_000), "DELETE");

  return {
    async list(folder, before) {
      try {
        const { newestQuery, toMailSummary } = await import("../../preview/captured-mails.js");
        return (await readMails(newestQuery(folder, before))).mails.map(toMailSummary);
      } catch {
        return [];
      }
    },
    async open(id) {
      const path = encodeURIComponent(id);
      const found = await Promise.all([openMail(path), readSource(path)]).catch(ignoreMissing);
      if (found === undefined) return undefined;
      const { detailOf } = await import("../../preview/captured-mails.js");
      return detailOf(...found, {
        sentHere: sentHere.get(id),
        url: locateLocalService(projectFolder).url,
        sourceUrl: `api/inbox/${path}/message.eml`,
        attachmentUrl: (index) => `api/inbox/${path}/attachments/${index}`,
      });
    },
    async source(id) {
      const source = await readSource(encodeURIComponent(id)).catch(ignoreMissing);
      return source && new Uint8Array(source);
    },
    async attachment(id, index) {
      const path = encodeURIComponent(id);
      const file = (await openMail(path).catch(ignoreMissing))?.attachments[index];
      const answer = file && (await ask(`/mail/${path}/attachments/${index + 1}`).catch(ignoreMissing));
      if (!answer) return undefined;
      const { filename, contentType } = file;
      return { filename, contentType, content: new Uint8Array(await answer.arrayBuffer()) };
    },
    count: async (folder) => (await readMails(`folder=${folder}`)).total,
    async delete(id) {
      await remove(`/local/mails/${encodeURIComponent(id)}`).catch(ignoreMissing);
    },
    async deleteAll(folder) {
      await remove(`/local/mails?folder=${folder}`);
    },
    watch(listener) {
      const ending = new AbortController();
      const { signal } = ending;
      // Leave the first requests of the page undisturbed.
      sleep(FIRST_LOOK_MS, undefined, { signal })
        .then(() => import("../../preview/captured-mails.js"))
        .then(({ followMails }) => followMails({ read: readMails, identify, otherService, listener, signal }))
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      return () => ending.abort();
    },
  };
}

function otherService(error: unknown): OtherService | undefined {
  return error instanceof OtherProjectError ? { url: error.url, project: error.project } : undefined;
}

/** The service does not have the requested message or file. */
class NotFound extends Error {
  constructor(status: number) {
    super(`The local service responded with ${status}.`);
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}
