import type { OpenedMail } from "./captured.js";

/* The mail itself, as it is shown inside a page: a stranger's document. */

/**
 * What the mail may do: look as it wants and show the images of this service, and all others once they are asked for.
 * No scripts, no forms, nothing to load; its links open in a window of their own.
 */
export function framePolicy(own: readonly string[], remoteImages: boolean): string {
  const remote = remoteImages ? " http: https:" : "";
  return [
    "default-src 'none'",
    `img-src data: ${own.join(" ")}${remote}`,
    `style-src 'unsafe-inline'${remote}`,
    `font-src data:${remote}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-popups allow-popups-to-escape-sandbox",
  ].join("; ");
}

/** The names of this service on its own machine, one of which the page was asked for by. */
export function ownOrigins(pageUrl: string): string[] {
  const { origin, port } = new URL(pageUrl);
  return [...new Set([origin, `http://127.0.0.1:${port}`, `http://localhost:${port}`])];
}

/** The mail's html with the images that it carries, and with links that leave the frame. */
export function frameDocument(mail: OpenedMail): string {
  return withLinksOutside(withCarriedImages(mail.html ?? "", mail));
}

const IMAGE_ORIGIN = /(?:\b(?:src|srcset|background)\s*=|\burl\()[\s"']*((?:https?:)?\/\/[^\s"'<>)/?#]*)/gi;

/** What becomes of images that neither the mail nor this service has. */
export type RemoteImages = "none" | "withheld" | "loaded";

export function remoteImagesOf(mail: OpenedMail, own: readonly string[], asked: boolean): RemoteImages {
  const origins = [...(mail.html ?? "").matchAll(IMAGE_ORIGIN)].map(([, origin]) => origin?.toLowerCase() ?? "");
  if (origins.every((origin) => own.includes(origin))) return "none";
  return asked ? "loaded" : "withheld";
}

function withCarriedImages(html: string, { id, attachments }: OpenedMail): string {
  const numbers = new Map(attachments.map(({ contentId }, index) => [contentId, index + 1]));
  return html.replace(/\bcid:([^"'\s)>]+)/gi, (reference, contentId: string) => {
    const number = numbers.get(contentId);
    return number === undefined ? reference : `/mail/${id}/attachments/${number}`;
  });
}

/** Before the head's own content, and never before the doctype, which decides how the whole is laid out. */
function withLinksOutside(html: string): string {
  const base = '<base target="_blank">';
  for (const tag of [/<head(?:\s[^>]*)?>/i, /<html(?:\s[^>]*)?>/i, /<!doctype[^>]*>/i]) {
    if (tag.test(html)) return html.replace(tag, (found) => `${found}${base}`);
  }
  return `${base}${html}`;
}
