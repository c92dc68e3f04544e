import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { answerPageFile, attachmentDisposition, PAGE_POLICY, readPageHtml } from "../../http.js";
import { ApiError, notFound } from "../http/api-error.js";
import type { CapturedMails, OpenedMail } from "./captured.js";

const PAGE_FILES = ["app.js", "app.css", "licences.txt"];

const WITHOUT_SCRIPT =
  'The emails are also at <a href="/local/mails?newest=200&amp;folder=all">/local/mails?newest=200&amp;folder=all</a> as JSON, and each one at ' +
  "/mail/ID/message.eml.";

/** The parts of an email by the end of their URL, as the page names them. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ["rendered", ""],
  ["text", "part=text"],
  ["html", "part=html"],
  ["headers", "part=headers"],
  ["source", "part=source"],
  ["attachments", "part=attachments"],
  ["events", "part=delivery"],
]);

/** Captured emails in a browser: the preview's page with only its inbox, and the files that it links to. */
export function mailRoutes(mails: CapturedMails): Hono {
  async function open(id: string): Promise<OpenedMail> {
    const mail = await mails.open(id);
    if (!mail) throw notFound("There is no captured email with this id.");
    return mail;
  }

  const routes = new Hono();
  routes.onError((error, c) => {
    if (!(error instanceof ApiError)) throw error;
    return c.html(errorPage(error.message), error.status);
  });
  for (const path of ["/", "/mail/*", ...PAGE_FILES.map((name) => `/${name}`)]) {
    routes.use(path, async (c, next) => {
      c.header("X-Content-Type-Options", "nosniff");
      c.header("Referrer-Policy", "no-referrer");
      c.header("Cache-Control", "no-cache");
      c.header("Content-Security-Policy", PAGE_POLICY);
      await next();
    });
  }

  routes.get("/", async (c) => {
    const page = await readPageHtml().catch(refuseUninstalled);
    return c.html(
      page
        .replace("<title>Preview<", "<title>Inbox<")
        .replace('<div id="app"', '<div id="app" data-inbox')
        .replace("This page needs JavaScript.", `This page needs JavaScript. ${WITHOUT_SCRIPT}`),
    );
  });
  for (const name of PAGE_FILES) {
    routes.get(`/${name}`, async (c) => await answerPageFile(c, name).catch(refuseUninstalled));
  }

  routes.get("/mail", (c) => c.redirect("/#/inbox"));

  routes.get("/mail/:id/message.eml", async (c) => {
    const { id, source } = await open(c.req.param("id"));
    return download(c, source, `${id}.eml`, "message/rfc822");
  });

  routes.get("/mail/:id/attachments/:number{[1-9][0-9]*}", async (c) => {
    const { attachments } = await open(c.req.param("id"));
    const attachment = attachments[Number(c.req.param("number")) - 1];
    if (!attachment) throw notFound("The email has no such attachment.");
    return download(c, attachment.content, attachment.filename, attachment.contentType);
  });

  routes.get("/mail/:id/:part?", async (c) => {
    const { id, receivedBy } = await open(c.req.param("id"));
    const part = PARTS.get(c.req.param("part") ?? "rendered");
    if (part === undefined) throw notFound("The email has no such part.");
    const query = [receivedBy === undefined ? "" : "folder=forwarded", part].filter(Boolean).join("&");
    return c.redirect(`/#/inbox/${encodeURIComponent(id)}${query && `?${query}`}`);
  });

  return routes;
}

/** Shown when a browser opens the URL of an email that does not exist, such as a deleted one. */
function errorPage(message: string) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Not found</title>
      </head>
      <body style="max-width: 40rem; margin: 15vh auto; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif">
        <h1 style="font-size: 1.375rem">${message}</h1>
        <p><a href="/">All captured emails</a></p>
      </body>
    </html>`;
}

/** An application that bundles this service does not have the files of the page. */
function refuseUninstalled(): never {
  throw notFound("The page for captured emails is not installed. GET /local/mails lists the emails as JSON.");
}

/** A file to download. Its name and type come from the email, so a browser must not show it as a page. */
function download(c: Context, content: Uint8Array, filename: string, contentType: string): Response {
  return c.body(new Uint8Array(content), 200, {
    "Content-Type": contentType,
    "Content-Disposition": attachmentDisposition(filename),
    "Content-Security-Policy": "default-src 'none'; sandbox",
  });
}
