import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { ApiError, notFound } from "../http/api-error.js";
import type { CapturedMail, CapturedMails, OpenedMail } from "./captured.js";
import { frameDocument, framePolicy, ownOrigins, remoteImagesOf } from "./frame.js";
import { type Markup, page, PAGE_POLICY } from "./layout.js";
import { firstView, isView, mailPage } from "./mail-page.js";
import { STYLE } from "./style.js";
import type { Mailbox } from "../store/log-rows.js";
import { statusChips, time } from "./parts.js";

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

/** The list of captured emails. `older` is the number that the next page starts before, if there is one. */
function listPage(mails: readonly CapturedMail[], older: number | undefined): Markup {
  return page("Captured emails", "reading", mails.length === 0 ? nothing() : list(mails, older));
}

function list(mails: readonly CapturedMail[], older: number | undefined): Markup {
  return html`<h1>Captured emails</h1>
    <ul class="mails">
      ${mails.map(
        (mail) =>
          html`<li>
            <a href="/mail/${mail.id}">
              <span class="who">
                <span class="to">${mail.recipients.map(shortName).join(", ")}</span>
                <span class="from quiet">from ${mail.from.email}</span>
              </span>
              <span class="subject">${mail.subject || "(no subject)"}</span>
              <span class="when quiet">${time(mail.sentAt)}</span>
              <span class="state">${statusChips(mail.recipients)}</span>
            </a>
          </li>`,
      )}
    </ul>
    ${older === undefined ? "" : html`<p class="more"><a class="button" href="/mail?before=${older}">Older emails</a></p>`}`;
}

function nothing(): Markup {
  return html`<section class="empty">
    <h1>No emails yet</h1>
    <p>Every email that is sent to this service is stored here. None of them leaves this machine.</p>
    <p>Send one of your templates:</p>
    <pre><code>npx templates send receipt --to ada@example.com</code></pre>
  </section>`;
}

function shortName({ name, email }: Mailbox): string {
  return name ?? email;
}
