import { html } from "hono/html";
import type { Mailbox } from "../store/log-rows.js";
import type { OpenedMail } from "./captured.js";
import type { RemoteImages } from "./frame.js";
import { type Markup, page } from "./layout.js";
import { mailbox, size, statusChip, statusChips, time } from "./parts.js";

/* The parts of an email, each in its tab. */

function renderedSection(mail: OpenedMail, remoteImages: RemoteImages): Markup {
  const address = `/mail/${mail.id}/frame.html${remoteImages === "loaded" ? "?images=all" : ""}`;
  const note = html`<p class="note">
    Images from other servers are not loaded. <a href="/mail/${mail.id}/rendered?images=all">Load them</a>
  </p>`;
  return html`${remoteImages === "withheld" ? note : ""}
    <iframe
      title="The email as its recipient sees it"
      src="${address}"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
    ></iframe>`;
}

function textSection(mail: OpenedMail): Markup {
  return mail.text === undefined
    ? html`<p class="quiet">This email has no text body.</p>`
    : html`<pre class="prose">${mail.text}</pre>`;
}

function htmlSection(mail: OpenedMail): Markup {
  return html`<pre class="prose">${mail.html ?? ""}</pre>`;
}

function headersSection(mail: OpenedMail): Markup {
  return html`<table class="headers">
    <tbody>
      ${mail.headers.map(
        ({ name, value }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Maximum size of the source that is shown; attachments can make it very long. */
const SOURCE_SHOWN = 200_000;

function sourceSection(mail: OpenedMail): Markup {
  const shown = Buffer.from(mail.source.subarray(0, SOURCE_SHOWN)).toString("utf8");
  const rest = mail.source.byteLength - SOURCE_SHOWN;
  return html`<p class="actions">
      <a class="button" href="/mail/${mail.id}/message.eml">Download .eml (${size(mail.source.byteLength)})</a>
    </p>
    <pre>${shown}</pre>
    ${rest > 0 ? html`<p class="quiet">The download contains another ${size(rest)}.</p>` : ""}`;
}

function attachmentsSection(mail: OpenedMail): Markup {
  return html`<table class="attachments">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Type</th>
        <th scope="col">Size</th>
      </tr>
    </thead>
    <tbody>
      ${mail.attachments.map(
        ({ filename, contentType, contentId, content }, index) =>
          html`<tr>
            <td>
              <a href="/mail/${mail.id}/attachments/${index + 1}" download>${filename}</a>
              ${contentId === undefined ? "" : html`<span class="quiet">cid:${contentId}</span>`}
            </td>
            <td>${contentType}</td>
            <td class="number">${size(content.byteLength)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function eventsSection(mail: OpenedMail): Markup {
  return html`${mail.recipients.map(
    ({ email, logId, events }) =>
      html`<h2>${email}</h2>
        <p class="quiet">Log entry ${logId}</p>
        <table class="events">
          <tbody>
            ${events.map(
              (event) =>
                html`<tr>
                  <td>${statusChip(event.status)}</td>
                  <td class="number">${event.code}</td>
                  <td>${event.message}</td>
                  <td class="quiet">${time(event.createdAt)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
  )}`;
}

interface Part {
  label(mail: OpenedMail): string;
  /** Whether the email has this part. */
  has(mail: OpenedMail): boolean;
  section(mail: OpenedMail, remoteImages: RemoteImages): Markup;
}

const always = () => true;

/** The parts of an email's page, by the end of its URL, in the order of the tabs. */
const parts = {
  rendered: { label: () => "Rendered", has: (mail) => mail.html !== undefined, section: renderedSection },
  text: { label: () => "Text", has: (mail) => mail.text !== undefined, section: textSection },
  html: { label: () => "HTML", has: (mail) => mail.html !== undefined, section: htmlSection },
  headers: { label: () => "Headers", has: always, section: headersSection },
  source: { label: () => "Source", has: always, section: sourceSection },
  attachments: {
    label: (mail) => `Attachments (${mail.attachments.length})`,
    has: (mail) => mail.attachments.length > 0,
    section: attachmentsSection,
  },
  events: { label: () => "Events", has: always, section: eventsSection },
} satisfies Record<string, Part>;

export type View = keyof typeof parts;

export function isView(name: string): name is View {
  return Object.hasOwn(parts, name);
}

/** The part to show first: the email as its recipient sees it. */
export function firstView(mail: OpenedMail): View {
  return mail.html === undefined ? "text" : "rendered";
}

export function mailPage(mail: OpenedMail, view: View, remoteImages: RemoteImages): Markup {
  const shown: Part = parts[view];
  return page(
    mail.subject || "(no subject)",
    view === "rendered" ? "filling" : "reading",
    html`<a class="back" href="/mail">← Captured emails</a>
      <div class="envelope">
        <h1>${mail.subject || "(no subject)"} ${statusChips(mail.recipients)}</h1>
        <dl>
          ${people("From", [mail.from])} ${people("To", mail.to)} ${people("Cc", mail.cc)} ${people("Bcc", mail.bcc)}
          ${people("Reply to", mail.replyTo)}
          <div>
            <dt>Sent</dt>
            <dd>${time(mail.sentAt)}</dd>
          </div>
        </dl>
      </div>
      <nav class="tabs" aria-label="Parts of the email">
        ${Object.entries<Part>(parts)
          .filter(([, part]) => part.has(mail))
          .map(
            ([name, part]) =>
              html`<a href="/mail/${mail.id}/${name}" ${name === view ? html`aria-current="page"` : ""}
                >${part.label(mail)}</a
              >`,
          )}
      </nav>
      <section class="view" aria-label="${shown.label(mail)}">${shown.section(mail, remoteImages)}</section>`,
  );
}

function people(label: string, mailboxes: readonly Mailbox[]): Markup | "" {
  if (mailboxes.length === 0) return "";
  return html`<div>
    <dt>${label}</dt>
    <dd>${mailboxes.map(mailbox).join(", ")}</dd>
  </div>`;
}
