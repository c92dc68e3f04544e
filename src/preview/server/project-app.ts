import { type Context, Hono } from "hono";
import { attempt } from "../../files.js";
import { answerErrors, type AppOptions } from "./app.js";
import { PreviewRefusal } from "./refusal.js";
import { CommittedTemplates } from "./workspace/committed.js";
import { readFile } from "node:fs/promises";
import { getMimeType } from "hono/utils/mime";
import { attachmentDisposition, FILE_POLICY, readBodyUpTo } from "../../http.js";
import {
  type ClientViewAnswer,
  LISTED_MESSAGES,
  LISTED_MESSAGES_MAX,
  MAIL_FOLDERS,
  type MailFolder,
  type OutboxMessageDetail,
  type PreviewEvent,
} from "../contract.js";
import type { MailAttachmentContent, MailerAccess, PreviewAccess, TemplateFiles } from "./preview-access.js";
import { streamSSE } from "hono/streaming";
import { fill } from "../../mustache/fill.js";
import type { PreferenceFile } from "./preferences.js";
import type { Listeners } from "./workspace/listeners.js";
import type { Workspace } from "./workspace/workspace.js";
import type { Requests } from "../requests.js";

/** Handles the page's requests about the project. They have passed the guard already. */
export function createProjectApp(context: RouteContext, { onError }: Pick<AppOptions, "onError">): Hono {
  const app = new Hono();
  answerErrors(app, onError);
  app.route("/", assetRoutes(context));
  app.route("/api", projectRoutes(context));
  app.route("/api", templateRoutes(context));
  app.route("/api", eventRoutes(context));
  app.route("/api", sendRoutes(context));
  app.route("/api", commitRoutes(context));
  app.route("/api", inboxRoutes(context));
  app.route("/api", outboxRoutes(context));
  return app;
}

/** Serves the project as a whole. */
function projectRoutes(context: RouteContext): Hono {
  const { workspace, access } = context;
  return new Hono()
    .get("/project", async (c) => c.json(await workspace.state()))
    .get("/contents", async (c) => c.json(await workspace.contents()))
    .post("/editor", async (c) => {
      const { file, line, column } = await readBody(c, "editor");
      if (!access.openEditor) throw new PreviewRefusal(404, "This preview can't open an editor.");
      await access.openEditor(await workspace.ownFile(file), line, column);
      return c.body(null, 204);
    })
    .put("/preferences", async (c) => {
      await context.preferences.change(await readBody(c, "preferences"));
      // Updates other windows too.
      workspace.tellProject();
      return c.body(null, 204);
    });
}

/** Serves templates as they were at earlier commits. */
function commitRoutes({ workspace, access: { commits } }: RouteContext): Hono {
  const committed = commits && new CommittedTemplates(commits);
  return new Hono()
    .get("/commits/:name", async (c) => {
      const { files } = await workspace.made(c.req.param("name"));
      return c.json(commits ? await commits.list(files) : { ofTemplate: [] });
    })
    .get("/commits/:name/:hash", async (c) => {
      const { name, hash } = c.req.param();
      // Compiling the current version comes first.
      const { template, assets } = await workspace.made(name);
      if (!/^[0-9a-f]{4,64}$/.test(hash)) throw new PreviewRefusal(400, `"${hash}" isn't the hash of a commit.`);
      if (!committed)
        throw new PreviewRefusal(
          404,
          "Commits can't be shown: the project is not in a git repository, or git is not installed.",
        );
      return c.json(await committed.at(hash, template, assets));
    });
}

/** Serves the project's images under the URLs that its emails use. */
function assetRoutes({ workspace }: Pick<RouteContext, "workspace">): Hono {
  return new Hono().get("/assets/*", async (c) => {
    // Only listed images are served, so no path can lead elsewhere.
    const path = c.req.path.slice("/assets/".length);
    const file = await workspace.asset(attempt(() => decodeURIComponent(path)) ?? path);
    const content = file === undefined ? undefined : await readFile(file).catch(() => undefined);
    if (file === undefined || !content)
      throw new PreviewRefusal(404, "There is no such image in the project's _assets folders.");
    return c.body(new Uint8Array(content), 200, {
      "Content-Type": getMimeType(file) ?? "application/octet-stream",
      "Content-Security-Policy": FILE_POLICY,
    });
  });
}

/** Serves templates with their reports and fixtures, and creates and renames them. */
function templateRoutes({ workspace, access }: RouteContext): Hono {
  return new Hono()
    .get("/starters", async (c) => c.json((await access.templates?.starters()) ?? []))
    .post("/templates", async (c) => c.json(await files().create(await readBody(c, "newTemplate"))))
    .post("/templates/:name/rename", async (c) => {
      const { to } = await readBody(c, "rename");
      return c.json(await files().rename(c.req.param("name"), to));
    })
    .get("/templates/:name", async (c) => c.json(await workspace.detail(c.req.param("name"))))
    .get("/templates/:name/report", async (c) => c.json(await workspace.report(c.req.param("name"))))
    .post("/templates/:name/variables", async (c) =>
      c.json(await workspace.variables(c.req.param("name"), await readBody(c, "variables"))),
    )
    .post("/templates/:name/requests", async (c) => c.json(await workspace.requests(c.req.param("name"))))
    .post("/client-view", async (c) => {
      const { client, html } = await readBody(c, "clientView");
      const { clientView } = await import("./report/client-view.js");
      const answer: ClientViewAnswer = { html: clientView(html, client) };
      return c.json(answer);
    })
    .put("/templates/:name/fixtures/:fixture", async (c) =>
      c.json(await workspace.saveFixture(c.req.param("name"), c.req.param("fixture"), await readBody(c, "fixture"))),
    );

  function files(): TemplateFiles {
    if (access.templates) return access.templates;
    throw new PreviewRefusal(404, "This preview can't add or rename templates.");
  }
}

/** Interval in ms of keep-alive messages, so that proxies do not close the stream. */
const BEAT_MS = 20_000;

/** Sends events to the page, starting with the current project. */
function eventRoutes({ workspace, access, ending }: RouteContext): Hono {
  return new Hono().get("/events", (c) => {
    // nginx would buffer events until it has several kB.
    c.header("X-Accel-Buffering", "no");
    return streamSSE(c, async (stream) => {
      let last: Promise<unknown> = Promise.resolve();
      // Each event is created when it is sent, so that a later event is never older.
      const sendNext = (make: () => Promise<PreviewEvent>) => {
        last = last
          .then(async () => stream.writeSSE({ data: JSON.stringify(await make()) }))
          .catch(() => stream.abort());
      };
      const send = (event: PreviewEvent) => sendNext(async () => event);
      const sendProject = () => sendNext(async () => ({ kind: "project", project: await workspace.state() }));
      sendProject();
      const ends = [
        workspace.subscribe((event) => (event.kind === "project" ? sendProject() : send(event))),
        access.inbox?.watch({
          mail: (mail) => send({ kind: "mail", mail }),
          deleted: () => send({ kind: "deleted-mails" }),
          reachable: (service, other) => send({ kind: "inbox", service, other }),
        }),
      ];
      const beat = setInterval(() => void stream.write(": here\n\n"), BEAT_MS);
      await new Promise<void>((resolve) => {
        stream.onAbort(resolve);
        ends.push(ending.subscribe(resolve));
      });
      clearInterval(beat);
      for (const end of ends) end?.();
    });
  });
}

/** Serves the emails that the local service captured. */
function inboxRoutes({ access: { inbox } }: RouteContext): Hono {
  return new Hono()
    .get("/inbox", async (c) => {
      const before = Number(c.req.query("before"));
      return c.json(inbox ? await inbox.list(folderOf(c), before > 0 ? before : undefined) : []);
    })
    .delete("/inbox", async (c) => {
      await inbox?.deleteAll(folderOf(c));
      return c.body(null, 204);
    })
    .get("/inbox-count", async (c) => c.json(inbox ? await inbox.count(folderOf(c)) : 0))
    .get("/inbox/:id", async (c) => {
      const mail = await inbox?.open(c.req.param("id"));
      if (!mail) throw new PreviewRefusal(404, "This email was deleted or is no longer in the log.");
      return c.json(mail);
    })
    .delete("/inbox/:id", async (c) => {
      await inbox?.delete(c.req.param("id"));
      return c.body(null, 204);
    })
    .get("/inbox/:id/message.eml", async (c) => {
      const id = c.req.param("id");
      const content = await inbox?.source(id);
      if (!content) throw new PreviewRefusal(404, "This email no longer exists.");
      return download(c, { filename: `${id}.eml`, contentType: "message/rfc822", content });
    })
    .get("/inbox/:id/attachments/:index{[0-9]{1,4}}", async (c) => {
      const attachment = await inbox?.attachment(c.req.param("id"), Number(c.req.param("index")));
      if (!attachment) throw new PreviewRefusal(404, "This attachment no longer exists.");
      return download(c, attachment);
    });
}

/** Serves the messages in the mailer's store. */
function outboxRoutes({ access: { outbox, inbox } }: RouteContext): Hono {
  const required = () => {
    if (outbox) return outbox;
    throw new PreviewRefusal(404, "This preview shows no outbox.");
  };
  return new Hono()
    .get("/outbox", async (c) => {
      const { state, template, target, limit = String(LISTED_MESSAGES) } = c.req.query();
      if (!/^[1-9]\d{0,8}$/.test(limit) || Number(limit) > LISTED_MESSAGES_MAX)
        throw new PreviewRefusal(400, `limit must be a number from 1 to ${LISTED_MESSAGES_MAX}.`);
      return c.json(await required().read({ state, template, target, limit: Number(limit) }));
    })
    .get("/outbox/:id", async (c) => {
      const message = await required().message(c.req.param("id"));
      // The service may have gone, which matters only to the inbox.
      const mail = message.sent && (await inbox?.open(message.sent.id).catch(() => undefined));
      const detail: OutboxMessageDetail = { ...message, ...(mail && { mail: mail.id }) };
      return c.json(detail);
    });
}

/** The folder that a request names. */
function folderOf(c: Context): MailFolder {
  const folder = MAIL_FOLDERS.find((each) => each === c.req.query("folder"));
  if (!folder) throw new PreviewRefusal(400, `folder must be one of: ${MAIL_FOLDERS.join(", ")}.`);
  return folder;
}

function download(c: Context, { filename, contentType, content }: MailAttachmentContent): Response {
  return c.body(new Uint8Array(content), 200, {
    // An unusual type might not be a valid header value.
    "Content-Type": /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : "application/octet-stream",
    "Content-Disposition": attachmentDisposition(filename),
    "Content-Security-Policy": FILE_POLICY,
  });
}

/** Sends to environments and reads from them. */
function sendRoutes({ workspace, access }: RouteContext): Hono {
  return new Hono()
    .post("/send", async (c) => {
      const { mailer } = access;
      if (!mailer) throw new PreviewRefusal(404, "This preview can't send.");
      const { template, input, ...message } = await readBody(c, "send");
      const { subject, html, text } = await fillFor(mailer, message.environment, template, input);
      return c.json(await mailer.send({ isConfirmed: false, ...message, template, input, subject, html, text }));
    })
    .get("/remote/:name", async (c) => {
      const name = c.req.param("name");
      await workspace.detail(name);
      if (!access.remote) return c.json([]);
      return c.json(await access.remote.reports(name, (assets) => workspace.compileFor(name, assets)));
    })
    .get("/remote/:name/:environment", async (c) => {
      const { name, environment } = c.req.param();
      const deployed = await access.remote?.deployed(name, environment);
      if (deployed) return c.json(deployed);
      throw new PreviewRefusal(404, `${name} isn't deployed to ${environment}.`);
    });

  async function fillFor(mailer: MailerAccess, environment: string, template: string, input: Record<string, unknown>) {
    const [compiled, answer] = await Promise.all([
      mailer.assets(environment).then((assets) => workspace.compileFor(template, assets)),
      workspace.variables(template, { input }),
    ]);
    if (!compiled) throw new PreviewRefusal(409, `"${template}" does not compile.`, "Fix its problems, then send it.");
    const [problem] = answer.problems;
    if (problem) {
      const where = problem.path.length > 0 ? `${problem.path.join(".")}: ` : "";
      throw new PreviewRefusal(422, `The variables don't fit the template. ${where}${problem.message}`);
    }
    return fill(compiled, "variables" in answer ? answer.variables : {});
  }
}

/** Dependencies of the routes. */
interface RouteContext {
  readonly workspace: Workspace;
  readonly access: PreviewAccess;
  readonly preferences: PreferenceFile;
  /** Fires when the server shuts down, so that event streams end. */
  readonly ending: Listeners<void>;
}

/** Far more than any fixture needs. */
const MOST_BYTES = 2_000_000;

/** Deeper than any template's variables, but harmless for code that walks through them. */
const MOST_NESTED = 200;

/** A body that is too large is still read up to this size. */
const DROPPED_BYTES = 20_000_000;

/**
 * Reads a JSON request and checks it against its schema.
 *
 * @throws {Refusal} The content type is not JSON, the body is too large, or it does not match the schema.
 */
async function readBody<Name extends keyof Requests>(c: Context, name: Name): Promise<Requests[Name]> {
  // Only the page's own script can send this type; a form on another site cannot.
  if (!/^application\/json(?:\s*;|$)/i.test(c.req.header("content-type") ?? ""))
    throw new PreviewRefusal(415, "The request must be JSON, with content-type: application/json.");
  const content = parse(await readText(c.req.raw));
  if (isDeeper(content, MOST_NESTED))
    throw new PreviewRefusal(400, `The request is nested deeper than ${MOST_NESTED} levels.`, "Use flatter variables.");
  // Loaded on the first write, so that the page shows earlier.
  const { requests } = await import("../requests.js");
  const { success, data, error } = requests[name].safeParse(content);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this name
  if (success) return data as Requests[Name];
  const [issue] = error.issues;
  throw new PreviewRefusal(400, `The request is invalid: ${issue?.path.join(".")} ${issue?.message}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PreviewRefusal(400, "The request is not valid JSON.");
  }
}

/** Level by level, because recursion could overflow the stack. */
function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}

async function readText(request: Request): Promise<string> {
  const body = await readBodyUpTo(MOST_BYTES, DROPPED_BYTES, request);
  if (body) return body.toString("utf8");
  throw new PreviewRefusal(413, `The request is larger than ${MOST_BYTES / 1_000_000} MB.`);
}
