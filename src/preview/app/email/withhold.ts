import type { ImageAccess } from "./content-policy.js";

/**
 * Takes out of a prepared email what its policy would refuse, so that a browser's console has nothing to say of it: style
 * sheets, fonts and media of other hosts, and the images that are not to be shown. An image keeps its place.
 *
 * @returns How many images of other hosts are withheld: each once, however often it is named.
 */
export function withhold(email: Document, images: ImageAccess): number {
  const own = images.own.map((address) => new URL(address, document.baseURI).href);
  const isAllowed = (address: string) => {
    if (images.areImagesBlocked) return false;
    const url = URL.parse(address, document.baseURI);
    if (!url || /^(?:data|blob|cid):/.test(url.protocol)) return true;
    if (own.some((each) => url.href.startsWith(each))) return true;
    // What is beside the page is none of the email's.
    return images.showsRemoteImages && url.origin !== window.location.origin && url.protocol !== "file:";
  };
  const withheld = new Set<string>();
  const kept = (address: string) => {
    if (isAllowed(address)) return address;
    const url = URL.parse(address, document.baseURI);
    if (url && /^https?:$/.test(url.protocol) && url.origin !== window.location.origin) withheld.add(url.href);
    return NO_IMAGE;
  };
  const inStyles = (css: string) =>
    css.replace(ADDRESSES, (whole, _quote, address: string) =>
      kept(address) === address ? whole : `url("${NO_IMAGE}")`,
    );

  for (const media of email.querySelectorAll("video, audio, video source, audio source, track")) {
    media.removeAttribute("src");
    const poster = media.getAttribute("poster");
    if (poster !== null) media.setAttribute("poster", kept(poster));
  }
  for (const style of email.querySelectorAll("style"))
    style.textContent = inStyles(style.textContent.replace(IMPORTS, "").replace(FONTS, withoutRemote));
  for (const element of email.querySelectorAll("[style*='url(' i]"))
    element.setAttribute("style", inStyles(element.getAttribute("style") ?? ""));
  for (const [selector, name] of PICTURES) {
    for (const element of email.querySelectorAll(selector))
      element.setAttribute(name, kept(element.getAttribute(name) ?? ""));
  }
  // The best of these takes the place of the one in `src`, which is counted.
  for (const element of email.querySelectorAll("[srcset]")) {
    const addresses = (element.getAttribute("srcset") ?? "")
      .split(/,\s+/)
      .map((each) => each.trim().split(/\s/)[0] ?? "");
    if (!addresses.every(isAllowed)) element.removeAttribute("srcset");
  }
  return withheld.size;
}

/** It is shown as one that did not load. */
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
