import { html } from "hono/html";
import type { Mailbox } from "../mailbox.js";
import type { OpenedMail } from "./captured.js";
import type { RemoteImages } from "./frame.js";
import { type Markup, page } from "./layout.js";
import { mailbox, statusChips, time } from "./parts.js";
import {
  attachmentsSection,
  eventsSection,
  headersSection,
  htmlSection,
  renderedSection,
  sourceSection,
  textSection,
} from "./sections.js";

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
