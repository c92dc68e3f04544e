export interface ImageAccess {
  readonly areImagesBlocked: boolean;
  readonly showsRemoteImages: boolean;
  /** URLs of images that belong to the email itself. */
  readonly own: readonly string[];
}

/** The email's content security policy: no scripts, frames or style sheets, and only the images that are allowed. */
export function contentPolicy(images: ImageAccess): string {
  return `default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src ${imageSources(images).join(" ")}`;
}

function imageSources({ areImagesBlocked, showsRemoteImages, own }: ImageAccess): readonly string[] {
  // The placeholders of withheld images are data URLs.
  if (areImagesBlocked) return ["data:"];
  return ["data:", "blob:", ...(showsRemoteImages ? ["http:", "https:"] : []), ...new Set(own.map(sourceOf))];
}

/** A page opened as a file has no host; its images are files. */
function sourceOf(address: string): string {
  const { protocol, origin, pathname } = new URL(address, document.baseURI);
  return protocol === "file:" ? protocol : `${origin}${pathname.replace(/[;,]/g, encodeURIComponent)}`;
}

/**
 * A frame's document before the email is put into it. Quirks mode and policy cannot change after the document is
 * created.
 */
export function emptyDocument(policy: string, isQuirky: boolean): string {
  const doctype = isQuirky ? "" : "<!doctype html>";
  const written = policy.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `${doctype}<html><head><meta http-equiv="content-security-policy" content="${written}"></head><body></body></html>`;
}
