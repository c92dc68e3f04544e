import { html } from "hono/html";
import type { OpenedMail } from "./captured.js";
import type { RemoteImages } from "./frame.js";
import type { Markup } from "./layout.js";
import { size, statusChip, time } from "./parts.js";

/* The parts of an email, each in its tab. */

export function renderedSection(mail: OpenedMail, remoteImages: RemoteImages): Markup {
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

export function textSection(mail: OpenedMail): Markup {
  return mail.text === undefined
    ? html`<p class="quiet">This email has no text body.</p>`
    : html`<pre class="prose">${mail.text}</pre>`;
}

export function htmlSection(mail: OpenedMail): Markup {
  return html`<pre class="prose">${mail.html ?? ""}</pre>`;
}

export function headersSection(mail: OpenedMail): Markup {
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

export function sourceSection(mail: OpenedMail): Markup {
  const shown = Buffer.from(mail.source.subarray(0, SOURCE_SHOWN)).toString("utf8");
  const rest = mail.source.byteLength - SOURCE_SHOWN;
  return html`<p class="actions">
      <a class="button" href="/mail/${mail.id}/message.eml">Download .eml (${size(mail.source.byteLength)})</a>
    </p>
    <pre>${shown}</pre>
    ${rest > 0 ? html`<p class="quiet">The download contains another ${size(rest)}.</p>` : ""}`;
}

export function attachmentsSection(mail: OpenedMail): Markup {
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

export function eventsSection(mail: OpenedMail): Markup {
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
