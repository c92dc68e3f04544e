import type { PreviewError, PreviewEvent } from "../../src/preview/contract.js";
import type { PrefetchedResponses } from "./ahead.js";
import type { Source } from "./source.js";

/** Delay in ms before reconnecting to a server that does not respond. */
const retryAfter = 1_000;

/** The error of every request when the server does not respond. */
export const serverGone = "The preview server isn't responding. Start it again with `templates preview`.";

/** The source of a page with a running server. Paths are relative to the page's URL. */
export const liveSource: Source = {
  kind: "preview",
  project: () => fetchJson("project"),
  template: (name) => fetchJson(`templates/${encodeURIComponent(name)}`),
  report: (name) => fetchJson(`templates/${encodeURIComponent(name)}/report`),
  requests: (name) => fetchJson(`templates/${encodeURIComponent(name)}/requests`, "POST", {}),
  contents: () => fetchJson("contents"),
  variables: (template, request) => fetchJson(`templates/${encodeURIComponent(template)}/variables`, "POST", request),
  clientView: (request) => fetchJson("client-view", "POST", request),
  saveFixture: (template, fixture, request) =>
    fetchJson(`templates/${encodeURIComponent(template)}/fixtures/${encodeURIComponent(fixture)}`, "PUT", request),
  starters: () => fetchJson("starters"),
  createTemplate: (request) => fetchJson("templates", "POST", request),
  renameTemplate: (template, to) => fetchJson(`templates/${encodeURIComponent(template)}/rename`, "POST", { to }),
  send: (request) => fetchJson("send", "POST", request),
  remote: (template) => fetchJson(`remote/${encodeURIComponent(template)}`),
  deployed: (template, environment) =>
    fetchJson(`remote/${encodeURIComponent(template)}/${encodeURIComponent(environment)}`),
  commits: (template) => fetchJson(`commits/${encodeURIComponent(template)}`),
  committed: (template, hash) => fetchJson(`commits/${encodeURIComponent(template)}/${encodeURIComponent(hash)}`),
  mails: (folder, before) => fetchJson(`inbox?folder=${folder}${before === undefined ? "" : `&before=${before}`}`),
  mail: (id) => fetchJson(`inbox/${encodeURIComponent(id)}`),
  mailCount: (folder) => fetchJson(`inbox-count?folder=${folder}`),
  deleteMail: (id) => fetchJson(`inbox/${encodeURIComponent(id)}`, "DELETE"),
  deleteAllMails: (folder) => fetchJson(`inbox?folder=${folder}`, "DELETE"),
  outbox: (query, signal) => {
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    return fetchJson(`outbox?${parameters.join("&")}`, "GET", undefined, signal);
  },
  outboxMessage: (id, signal) => fetchJson(`outbox/${encodeURIComponent(id)}`, "GET", undefined, signal),
  openEditor: (place) => fetchJson("editor", "POST", place),
  setRemoteImages: (remoteImages) => fetchJson("preferences", "PUT", { remoteImages }),
  subscribe: (listener) => {
    return whileVisible(() => {
      let stream: EventSource;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const open = () => {
        stream = new EventSource("api/events");
        stream.addEventListener("open", () => listener.connection(true));
        stream.addEventListener("message", ({ data }: MessageEvent<string>) => {
          const event: PreviewEvent = JSON.parse(data);
          listener.event(event);
        });
        stream.addEventListener("error", () => {
          stream.close();
          listener.connection(false);
          timer = setTimeout(open, retryAfter);
        });
      };
      open();
      return () => {
        clearTimeout(timer);
        stream.close();
      };
    });
  },
};

/** The answer has the type that `contract.ts` states: server and page come from the same package. */
const fetchJson = async <Answer>(
  path: string,
  method = "GET",
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> => {
  const ahead = method === "GET" ? await takePrefetched(path) : undefined;
  const options = {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  };
  const response =
    ahead ??
    (await fetch(`api/${path}`, options).catch(() => {
      throw new Error(serverGone);
    }));
  if (!response.ok) throw await refusalOf(response);
  const text = await response.text();
  const answer: Answer = text === "" ? undefined : JSON.parse(text);
  return answer;
};

/** The response to a request that `ahead.ts` made. Each can be taken once. */
const takePrefetched = (path: string): Promise<Response | undefined> | undefined => {
  const responses: PrefetchedResponses | undefined = window.askedAhead;
  const answer = responses?.get(path);
  responses?.delete(path);
  return answer;
};

const refusalOf = async (response: Response): Promise<Error> => {
  const answer: Partial<PreviewError> | undefined = await response.json().catch(() => undefined);
  const { message, hint } = answer?.error ?? {};
  if (message === undefined) return new Error(`The preview server answered with status ${response.status}.`);
  return new Error(hint === undefined ? message : `${message} ${hint}`);
};

/** Delay in ms before a hidden page closes its connection: browsers allow only six connections per server. */
const restAfter = 10_000;

/**
 * Keeps a connection open while the page is visible.
 *
 * @param open Opens it, and returns what closes it.
 * @returns Closes it for good.
 */
export function whileVisible(open: () => () => void): () => void {
  let close: (() => void) | undefined = open();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    close?.();
    close = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(rest, restAfter);
    else close ??= open();
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    clearTimeout(timer);
    rest();
  };
}
