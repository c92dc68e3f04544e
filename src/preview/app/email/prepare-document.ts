import { chooseInQuery, chooseInStyles, chooseScheme, type Face } from "./scheme.js";

export interface Preparation {
  readonly face: Face;
  readonly isRightToLeft: boolean;
  /** The addresses of what the email carries with it, by Content-ID. */
  readonly contentIds?: Readonly<Record<string, string>>;
}

/**
 * An email as a document that is safe to show and shows one face. Nothing in it runs or loads before it is put into a frame,
 * whose sandbox and policy hold back what is overlooked here.
 */
export function prepareDocument(html: string, { face, isRightToLeft, contentIds = {} }: Preparation): Document {
  const email = new DOMParser().parseFromString(withCarried(html, contentIds), "text/html");
  for (const element of email.querySelectorAll(REMOVED)) element.remove();
  // A set of frames stood in its place.
  if (!email.querySelector("body")) email.documentElement.append(email.createElement("body"));
  for (const element of email.querySelectorAll(ACTIVE.map((name) => `[${name}]`).join())) {
    for (const name of ACTIVE) element.removeAttribute(name);
  }
  for (const element of email.querySelectorAll("[href], [*|href], [src], [data], [poster]")) prepareAddresses(element);
  // What was shown before stays in sight until it is replaced: no image may come in a later frame.
  for (const image of email.images) image.decoding = "sync";
  for (const style of email.querySelectorAll("style")) style.textContent = chooseInStyles(style.textContent, face);
  for (const [name, choose] of CHOOSING) {
    for (const element of email.querySelectorAll(`[${name}*="color-scheme" i]`)) {
      element.setAttribute(name, choose(element.getAttribute(name) ?? "", face));
    }
  }
  for (const meta of email.querySelectorAll("meta[name='color-scheme' i], meta[name='supported-color-schemes' i]")) {
    meta.setAttribute("name", "color-scheme");
    meta.setAttribute("content", chooseScheme(meta.getAttribute("content") ?? "", face));
  }
  if (isRightToLeft) {
    for (const element of [email.documentElement, ...email.querySelectorAll("[dir]")])
      element.setAttribute("dir", "rtl");
  }
  return email;
}

/** What runs, loads or leads away, and what mail clients leave out. */
const REMOVED = [
  "script, base, link, meta[http-equiv], meta[name=viewport i], iframe, frame, frameset, object, embed, applet, portal, fencedframe, template",
  "set, animate, animateMotion, animateTransform",
].join(", ");

/** These would act, or take the page's focus or keys. Handlers of events are dead in a frame without scripts. */
const ACTIVE = ["action", "formaction", "ping", "autofocus", "accesskey", "srcdoc", "loading", "target"];

/** Attributes that say for which scheme something is. */
const CHOOSING = [
  ["media", chooseInQuery],
  ["sizes", chooseInQuery],
  ["style", chooseInStyles],
] as const;

function prepareAddresses(element: Element): void {
  for (const name of ["href", "xlink:href", "src", "data", "poster"]) {
    const address = element.getAttribute(name);
    if (address === null) continue;
    if (isScript(address)) element.removeAttribute(name);
    else if (name.endsWith("href") && !address.startsWith("#")) openElsewhere(element);
  }
}

/** Browsers pass over controls and line breaks in an address's scheme. */
function isScript(address: string): boolean {
  return /^(?:javascript|vbscript):|^data:(?!image\/)/i.test(address.replace(/[\0- ]+/g, ""));
}

function openElsewhere(link: Element): void {
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
}

/** With the addresses of its own images in place of their Content-IDs. */
function withCarried(html: string, contentIds: Readonly<Record<string, string>>): string {
  return html.replace(
    /\bcid:([^\s"'()<>]+)/gi,
    (written, id: string) => contentIds[id] ?? contentIds[unescaped(id)] ?? written,
  );
}

function unescaped(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
