interface ImageAccess {
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

/**
 * Removes what the content security policy would block, so that the browser's console stays empty: style sheets, fonts
 * and media of other hosts, and images that are not allowed. A removed image keeps its space.
 *
 * @returns The number of distinct images of other hosts that are withheld.
 */
export function removeBlockedContent(email: Document, images: ImageAccess): number {
  const own = images.own.map((address) => new URL(address, document.baseURI).href);
  const isAllowed = (address: string) => {
    if (images.areImagesBlocked) return false;
    const url = URL.parse(address, document.baseURI);
    if (!url || /^(?:data|blob|cid):/.test(url.protocol)) return true;
    if (own.some((each) => url.href.startsWith(each))) return true;
    // Other files next to the page do not belong to the email.
    return images.showsRemoteImages && url.origin !== window.location.origin && url.protocol !== "file:";
  };
  const withheld = new Set<string>();
  const allowed = (address: string) => {
    if (isAllowed(address)) return address;
    const url = URL.parse(address, document.baseURI);
    if (url && /^https?:$/.test(url.protocol) && url.origin !== window.location.origin) withheld.add(url.href);
    return NO_IMAGE;
  };
  const inStyles = (css: string) =>
    css.replace(ADDRESSES, (whole, _quote, address: string) =>
      allowed(address) === address ? whole : `url("${NO_IMAGE}")`,
    );

  for (const media of email.querySelectorAll("video, audio, video source, audio source, track")) {
    media.removeAttribute("src");
    const poster = media.getAttribute("poster");
    if (poster !== null) media.setAttribute("poster", allowed(poster));
  }
  for (const style of email.querySelectorAll("style"))
    style.textContent = inStyles(style.textContent.replace(IMPORTS, "").replace(FONTS, withoutRemote));
  for (const element of email.querySelectorAll("[style*='url(' i]"))
    element.setAttribute("style", inStyles(element.getAttribute("style") ?? ""));
  for (const [selector, name] of PICTURES) {
    for (const element of email.querySelectorAll(selector))
      element.setAttribute(name, allowed(element.getAttribute(name) ?? ""));
  }
  // The best of these replaces the image in `src`, which is counted already.
  for (const element of email.querySelectorAll("[srcset]")) {
    const addresses = (element.getAttribute("srcset") ?? "")
      .split(/,\s+/)
      .map((each) => each.trim().split(/\s/)[0] ?? "");
    if (!addresses.every(isAllowed)) element.removeAttribute("srcset");
  }
  return withheld.size;
}

/** Shown as an image that failed to load. */
const NO_IMAGE = "data:,";

const PICTURES = [
  ["img[src], input[src]", "src"],
  ["[background]", "background"],
  ["image[href], feImage[href]", "href"],
  ["image[*|href]:not([href]), feImage[*|href]:not([href])", "xlink:href"],
] as const;

const ADDRESSES = /url\(\s*(["']?)(.*?)\1\s*\)/gi;
const IMPORTS = /@import\s+(?:url\([^)]*\)|"[^"]*"|'[^']*')[^;{}]*;?/gi;
const FONTS = /@font-face\s*\{[^{}]*\}/gi;

function withoutRemote(font: string): string {
  return [...font.matchAll(ADDRESSES)].every(([, , address = ""]) => address.startsWith("data:")) ? font : "";
}
