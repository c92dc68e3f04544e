export interface ImageAccess {
  readonly areImagesBlocked: boolean;
  readonly showsRemoteImages: boolean;
  /** Addresses of images that belong to the email itself. */
  readonly own: readonly string[];
}

/** What an email may load: never a script, a frame or a style sheet, and of images only those that are asked for. */
export function contentPolicy(images: ImageAccess): string {
  return `default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src ${imageSources(images).join(" ")}`;
}

function imageSources({ areImagesBlocked, showsRemoteImages, own }: ImageAccess): readonly string[] {
  // For what stands in the place of images that are withheld.
  if (areImagesBlocked) return ["data:"];
  return ["data:", "blob:", ...(showsRemoteImages ? ["http:", "https:"] : []), ...new Set(own.map(sourceOf))];
}

/** A page opened from a file has no host: its images are files then. */
function sourceOf(address: string): string {
  const { protocol, origin, pathname } = new URL(address, document.baseURI);
  return protocol === "file:" ? protocol : `${origin}${pathname.replace(/[;,]/g, encodeURIComponent)}`;
}

/** What a frame holds before the email is put into it. Quirks and policy are settled once, when a document is made. */
export function emptyDocument(policy: string, isQuirky: boolean): string {
  const doctype = isQuirky ? "" : "<!doctype html>";
  const written = policy.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `${doctype}<html><head><meta http-equiv="content-security-policy" content="${written}"></head><body></body></html>`;
}
