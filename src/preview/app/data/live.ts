import type { PreviewError, PreviewEvent } from "../../contract.js";
import type { AskedAhead } from "./ahead.js";
import type { Source } from "./source.js";

/** Delay in ms before reconnecting to a server that does not respond. */
const retryAfter = 1_000;
/** Delay in ms before a hidden page closes its event stream: browsers allow only six connections per server. */
const restAfter = 10_000;

/** The error of every request when the server does not respond. */
export const serverGone = "The preview server isn't responding. Start it again with `templates preview`.";

/** The source of a page with a running server. Paths are relative to the page's URL. */
export const liveSource: Source = {
  isCopy: false,
  project: () => ask("project"),
  template: (name) => ask(`templates/${encodeURIComponent(name)}`),
  report: (name) => ask(`templates/${encodeURIComponent(name)}/report`),
  requests: (name) => ask(`templates/${encodeURIComponent(name)}/requests`, "POST", {}),
  contents: () => ask("contents"),
  variables: (template, request) => ask(`templates/${encodeURIComponent(template)}/variables`, "POST", request),
  clientView: (request) => ask("client-view", "POST", request),
  saveFixture: (template, fixture, request) =>
    ask(`templates/${encodeURIComponent(template)}/fixtures/${encodeURIComponent(fixture)}`, "PUT", request),
  starters: () => ask("starters"),
  createTemplate: (request) => ask("templates", "POST", request),
  renameTemplate: (template, to) => ask(`templates/${encodeURIComponent(template)}/rename`, "POST", { to }),
  send: (request) => ask("send", "POST", request),
  remote: (template) => ask(`remote/${encodeURIComponent(template)}`),
  deployed: (template, environment) => ask(`remote/${encodeURIComponent(template)}/${encodeURIComponent(environment)}`),
  commits: (template) => ask(`commits/${encodeURIComponent(template)}`),
  committed: (template, hash) => ask(`commits/${encodeURIComponent(template)}/${encodeURIComponent(hash)}`),
  mails: () => ask("inbox"),
  mail: (id) => ask(`inbox/${encodeURIComponent(id)}`),
  mailCount: () => ask("inbox-count"),
  deleteMail: (id) => ask(`inbox/${encodeURIComponent(id)}`, "DELETE"),
  deleteAllMails: () => ask("inbox", "DELETE"),
  openEditor: (place) => ask("editor", "POST", place),
  setRemoteImages: (remoteImages) => ask("preferences", "PUT", { remoteImages }),
  subscribe: (listener) => {
    let stream: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const open = () => {
      clearTimeout(timer);
      stream?.close();
      stream = new EventSource("api/events");
      stream.addEventListener("open", () => listener.connection(true));
      stream.addEventListener("message", ({ data }: MessageEvent<string>) => {
        const event: PreviewEvent = JSON.parse(data);
        listener.event(event);
      });
      stream.addEventListener("error", () => {
        stream?.close();
        listener.connection(false);
        timer = setTimeout(open, retryAfter);
      });
    };
    const rest = () => {
      stream?.close();
      stream = undefined;
    };
    const look = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(rest, restAfter);
      else if (!stream || stream.readyState === EventSource.CLOSED) open();
    };

    open();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      clearTimeout(timer);
      rest();
    };
  },
};

/** The answer has the type that `contract.ts` states: server and page come from the same package. */
const ask = async <Answer>(path: string, method = "GET", body?: unknown): Promise<Answer> => {
  const ahead = method === "GET" ? await takeAhead(path) : undefined;
  const options = {
    method,
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
const takeAhead = (path: string): Promise<Response | undefined> | undefined => {
  const responses: AskedAhead | undefined = window.askedAhead;
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
