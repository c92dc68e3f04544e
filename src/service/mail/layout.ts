import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The policy of the pages: only their own stylesheet and frame, and no scripts. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="3" width="14" height="10" rx="2" fill="#3557c4"/><path d="M2 5l6 4 6-4" fill="none" stroke="#fff" stroke-width="1.5"/></svg>',
)}`;

/** A page. With the layout `reading`, the content scrolls with the page; with `filling`, it fills the window. */
export function page(title: string, layout: "reading" | "filling", content: Markup): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="/mail/style.css" />
      </head>
      <body class="${layout}">
        <header>
          <div class="bar">
            <a class="brand" href="/mail">lettershop</a>
            <span class="quiet">local service</span>
          </div>
        </header>
        <main>${content}</main>
      </body>
    </html>`;
}
