import { detailOf, followMails, newestQuery, toMailSummary } from "../../src/preview/captured-mails.js";
import type { LocalMails, OpenedLocalMail } from "../../src/preview/local-mails.js";
import { type Source, sourceWithout } from "./source.js";
import { whileVisible } from "./live.js";

/**
 * The source of a page that the local service itself serves: its inbox, without a project. Its answers need no
 * validation, because service and page come from the same package.
 */
export function localServiceSource(): Source | undefined {
  if (document.getElementById("app")?.dataset["inbox"] === undefined) return undefined;
  const { origin, hostname, port } = window.location;
  const otherName = hostname === "127.0.0.1" ? "localhost" : "127.0.0.1";
  const mails = (query: string, signal?: AbortSignal) => fetchJson<LocalMails>(`local/mails?${query}`, signal);

  return {
    ...sourceWithout("The local service only has an inbox."),
    kind: "local-service",
    project: async () => ({
      name: "Local service",
      templates: [],
      problems: [],
      environments: [],
      locale: "en",
      timeZone: "UTC",
      remoteImages: false,
      // Emails name the service's own URL, or `localhost`, whatever name this page was opened with.
      assetsBase: `http://${otherName}:${port}/assets`,
      from: "",
      can: {
        save: false,
        send: false,
        openEditor: false,
        seeInbox: true,
        seeOutbox: false,
        seeRemote: false,
        seeCommits: false,
        changeTemplates: false,
      },
    }),
    mails: async (folder, before) => (await mails(newestQuery(folder, before))).mails.map(toMailSummary),
    async mail(id) {
      const path = encodeURIComponent(id);
      const [mail, source] = await Promise.all([
        fetchJson<OpenedLocalMail>(`local/mails/${path}`),
        request(`mail/${path}/message.eml`).then((response) => response.arrayBuffer()),
      ]);
      return detailOf(mail, source, {
        url: origin,
        sourceUrl: `mail/${path}/message.eml`,
        attachmentUrl: (index) => `mail/${path}/attachments/${index + 1}`,
      });
    },
    mailCount: async (folder) => (await mails(`folder=${folder}`)).total,
    async deleteMail(id) {
      await request(`local/mails/${encodeURIComponent(id)}`, { method: "DELETE" });
    },
    async deleteAllMails(folder) {
      await request(`local/mails?folder=${folder}`, { method: "DELETE" });
    },
    subscribe: (listener) =>
      whileVisible(() => {
        const ending = new AbortController();
        void followMails({
          read: mails,
          identify: async (signal) => ({ ...(await fetchJson<object>("local/service", signal)), url: origin }),
          signal: ending.signal,
          listener: {
            mail: (mail) => listener.event({ kind: "mail", mail }),
            deleted: () => listener.event({ kind: "deleted-mails" }),
            reachable: (service) => {
              listener.connection(service !== undefined);
              listener.event({ kind: "inbox", service });
            },
          },
        });
        return () => ending.abort();
      }),
  };
}

async function fetchJson<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const answer: Answer = await (await request(path, signal && { signal })).json();
  return answer;
}

/** @throws If the service does not respond, or refuses the request. */
async function request(path: string, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, options).catch(() => {
    throw new Error("The local service isn't running. Start it again with `templates dev` or `templates service`.");
  });
  if (response.ok) return response;
  const { message }: { readonly message: string } = await response.json();
  throw new Error(message);
}
