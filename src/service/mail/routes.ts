import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { ApiError, notFound } from "../http/api-error.js";
import type { CapturedMails, OpenedMail } from "./captured.js";
import { frameDocument, framePolicy, ownOrigins, remoteImagesOf } from "./frame.js";
import { page, PAGE_POLICY } from "./layout.js";
import { listPage } from "./list-page.js";
import { firstView, isView, mailPage } from "./mail-page.js";
import { STYLE } from "./style.js";

const MAILS_PER_PAGE = 50;

/** The pages that show captured emails in a browser. */
export function mailRoutes(mails: CapturedMails): Hono {
  async function open(id: string): Promise<OpenedMail> {
    const mail = await mails.open(id);
    if (!mail) throw notFound("There is no captured email with this id.");
    return mail;
  }

  const routes = new Hono();
  routes.onError((error, c) => {
    if (!(error instanceof ApiError)) throw error;
    return c.html(
      page(
        "Not found",
        "reading",
        html`<section class="empty">
          <h1>${error.message}</h1>
          <p><a href="/mail">All captured emails</a></p>
        </section>`,
      ),
      error.status,
    );
  });
  routes.use("/mail/*", async (c, next) => {
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Referrer-Policy", "no-referrer");
    c.header("Cache-Control", "no-cache");
    c.header("Content-Security-Policy", PAGE_POLICY);
    await next();
  });

  routes.get("/mail", (c) => {
    const before = Number(c.req.query("before"));
    const listed = mails.list({
      limit: MAILS_PER_PAGE + 1,
      ...(Number.isSafeInteger(before) && before > 0 && { before }),
    });
    const shown = listed.slice(0, MAILS_PER_PAGE);
    return c.html(listPage(shown, listed.length > shown.length ? shown.at(-1)?.seq : undefined));
  });

  routes.get("/mail/style.css", (c) => c.body(STYLE, 200, { "Content-Type": "text/css; charset=utf-8" }));

  routes.get("/mail/:id/frame.html", async (c) => {
    const mail = await open(c.req.param("id"));
    c.header("Content-Security-Policy", framePolicy(ownOrigins(c.req.url), c.req.query("images") === "all"));
    return c.html(frameDocument(mail));
  });

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

  routes.get("/mail/:id/:view?", async (c) => {
    const mail = await open(c.req.param("id"));
    const view = c.req.param("view") ?? firstView(mail);
    if (!isView(view)) throw notFound("The email has no such part.");
    const remoteImages = remoteImagesOf(mail, ownOrigins(c.req.url), c.req.query("images") === "all");
    return c.html(mailPage(mail, view, remoteImages));
  });

  return routes;
}

/** A file to download. Its name and type come from the email, so a browser must not show it as a page. */
function download(c: Context, content: Uint8Array, filename: string, contentType: string): Response {
  const encodedName = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return c.body(new Uint8Array(content), 200, {
    "Content-Type": contentType,
    "Content-Disposition": `attachment; filename*=UTF-8''${encodedName}`,
    "Content-Security-Policy": "default-src 'none'; sandbox",
  });
}
