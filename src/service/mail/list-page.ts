import { html } from "hono/html";
import type { Mailbox } from "../mailbox.js";
import type { CapturedMail } from "./captured.js";
import { type Markup, page } from "./layout.js";
import { statusChips, time } from "./parts.js";

/** The list of captured emails. `older` is the number that the next page starts before, if there is one. */
export function listPage(mails: readonly CapturedMail[], older: number | undefined): Markup {
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
