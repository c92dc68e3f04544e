import { setTimeout as sleep } from "node:timers/promises";
import { locateLocalService } from "../../config/local-service.js";
import type { Latest } from "../../latest.js";
import type { InboxAccess } from "../../preview/server/access.js";
import { AwayError, OtherProjectError } from "./away.js";
import type { SentHere } from "./mail-in-words.js";

const NEWEST = 200;
/** Before the service is looked for. */
const FIRST_LOOK_MS = 500;
/** Of a mail's source, what somebody reads. */
const SOURCE_MAX_BYTES = 500_000;

/**
 * The mails of the local service: the one that a command of this folder would find, whenever it runs.
 *
 * @param folder The project's, absolute.
 * @param sentHere What this preview itself has sent, by the mail's id.
 */
export function localInbox(folder: string, sentHere: Pick<Latest<SentHere>, "get">): InboxAccess {
  /** Where a service answered that is not another project's; until it does not answer. */
  let known: string | undefined;
  const reach = async (signal: AbortSignal): Promise<string> => {
    // Looked up each time: a service that was started again may have another port.
    const { url, isGiven } = locateLocalService(folder);
    if (url === known || isGiven) return url;
    const { otherOwner } = await import("../../config/local-owner.js");
    const project = await otherOwner(url, folder, signal).catch((cause: unknown) => {
      throw new AwayError(cause);
    });
    if (project !== undefined) throw new OtherProjectError(url, project);
    known = url;
    return url;
  };
  const ask = async (path: string, signal = AbortSignal.timeout(5_000), method = "GET"): Promise<Response> => {
    const url = await reach(signal);
    const answer = await fetch(new URL(path, url), { signal, method }).catch((cause: unknown) => {
      known = undefined;
      throw new AwayError(cause);
    });
    if (answer.ok) return answer;
    await answer.body?.cancel();
    throw new NotThere(answer.status);
  };
  const openMail = async (id: string) => {
    const { openedSchema } = await import("./local-mails.js");
    return openedSchema.parse(await (await ask(`/local/mails/${id}`)).json());
  };

  const readMails = async (query: string) => {
    const { mailsSchema } = await import("./local-mails.js");
    return mailsSchema.parse(await (await ask(`/local/mails?${query}`)).json());
  };
  /** Deleting all takes as long as there are many. */
  const remove = (path: string) => ask(path, AbortSignal.timeout(60_000), "DELETE");

  return {
    async list() {
      try {
        const { summaryOf } = await import("./mail-in-words.js");
        return (await readMails(`newest=${NEWEST}`)).mails.map(summaryOf);
      } catch {
        return [];
      }
    },
    async open(id) {
      const path = encodeURIComponent(id);
      try {
        const [mail, source] = await Promise.all([openMail(path), ask(`/mail/${path}/message.eml`)]);
        const { detailOf } = await import("./mail-in-words.js");
        return detailOf(mail, readable(await source.arrayBuffer()), {
          sentHere: sentHere.get(id),
          url: locateLocalService(folder).url,
        });
      } catch (error) {
        if (error instanceof NotThere) return undefined;
        throw error;
      }
    },
    async attachment(id, index) {
      const path = encodeURIComponent(id);
      try {
        const file = (await openMail(path)).attachments[index];
        if (file === undefined) return undefined;
        const answer = await ask(`/mail/${path}/attachments/${index + 1}`);
        const { filename, contentType } = file;
        return { filename, contentType, content: new Uint8Array(await answer.arrayBuffer()) };
      } catch (error) {
        if (error instanceof NotThere) return undefined;
        throw error;
      }
    },
    count: async () => (await readMails("")).total,
    async delete(id) {
      await remove(`/local/mails/${encodeURIComponent(id)}`).catch((error: unknown) => {
        if (!(error instanceof NotThere)) throw error;
      });
    },
    async deleteAll() {
      await remove("/local/mails");
    },
    watch(listener) {
      const ending = new AbortController();
      const { signal } = ending;
      // What the page asks for first comes first.
      sleep(FIRST_LOOK_MS, undefined, { signal })
        .then(() => import("./follow-mails.js"))
        .then(({ followMails }) => followMails({ ask, listener, signal }))
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      return () => ending.abort();
    },
  };
}

/** The service has no such thing. */
class NotThere extends Error {
  constructor(status: number) {
    super(`The local service answered ${status}.`);
  }
}

function readable(source: ArrayBuffer): string {
  const text = new TextDecoder().decode(source.slice(0, SOURCE_MAX_BYTES));
  if (source.byteLength <= SOURCE_MAX_BYTES) return text;
  return `${text.slice(0, text.lastIndexOf("\n") + 1)}\n… and ${source.byteLength - SOURCE_MAX_BYTES} bytes more.\n`;
}
