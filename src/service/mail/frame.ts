import type { OpenedMail } from "./captured.js";

/* The email itself inside a page: an untrusted document. */

/**
 * The policy of the email's frame: any styles, images of this service, and other images if they are requested. No
 * scripts and no forms; links open in a new window.
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

/** The origins of this service on its own machine, one of which the page was requested with. */
export function ownOrigins(pageUrl: string): string[] {
  const { origin, port } = new URL(pageUrl);
  return [...new Set([origin, `http://127.0.0.1:${port}`, `http://localhost:${port}`])];
}

/** The email's HTML with its embedded images, and with links that leave the frame. */
export function frameDocument(mail: OpenedMail): string {
  return withLinksOutside(withCarriedImages(mail.html ?? "", mail));
}

const IMAGE_ORIGIN = /(?:\b(?:src|srcset|background)\s*=|\burl\()[\s"']*((?:https?:)?\/\/[^\s"'<>)/?#]*)/gi;

/** The state of images that are neither embedded nor served by this service. */
export type RemoteImages = "none" | "withheld" | "loaded";

export function remoteImagesOf(mail: OpenedMail, own: readonly string[], requested: boolean): RemoteImages {
  const origins = [...(mail.html ?? "").matchAll(IMAGE_ORIGIN)].map(([, origin]) => origin?.toLowerCase() ?? "");
  if (origins.every((origin) => own.includes(origin))) return "none";
  return requested ? "loaded" : "withheld";
}

function withCarriedImages(html: string, { id, attachments }: OpenedMail): string {
  const numbers = new Map(attachments.map(({ contentId }, index) => [contentId, index + 1]));
  return html.replace(/\bcid:([^"'\s)>]+)/gi, (reference, contentId: string) => {
    const number = numbers.get(contentId);
    return number === undefined ? reference : `/mail/${id}/attachments/${number}`;
  });
}

/** Inserts it before the head's own content, but never before the doctype, which determines the layout mode. */
function withLinksOutside(html: string): string {
  const base = '<base target="_blank">';
  for (const tag of [/<head(?:\s[^>]*)?>/i, /<html(?:\s[^>]*)?>/i, /<!doctype[^>]*>/i]) {
    if (tag.test(html)) return html.replace(tag, (start) => `${start}${base}`);
  }
  return `${base}${html}`;
}
