import type { Scheme } from "../state/view.js";

export interface Preparation {
  readonly face: ColourScheme;
  readonly isRightToLeft: boolean;
  /** URLs of the email's embedded images by Content-ID. */
  readonly contentIds?: Readonly<Record<string, string>>;
}

/**
 * Turns an email into a document that is safe to show, for one colour scheme. Nothing in it runs or loads before it is
 * put into a frame, whose sandbox and policy block anything this function misses.
 */
export function prepareDocument(html: string, { face, isRightToLeft, contentIds = {} }: Preparation): Document {
  const email = new DOMParser().parseFromString(withCarried(html, contentIds), "text/html");
  for (const element of email.querySelectorAll(REMOVED)) element.remove();
  // A frameset took the place of the body.
  if (!email.querySelector("body")) email.documentElement.append(email.createElement("body"));
  for (const element of email.querySelectorAll(ACTIVE.map((name) => `[${name}]`).join())) {
    for (const name of ACTIVE) element.removeAttribute(name);
  }
  for (const element of email.querySelectorAll("[href], [*|href], [src], [data], [poster]")) prepareAddresses(element);
  // The previous image stays visible until this one replaces it, so both must change in the same frame.
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

/** Elements that run code, load files or navigate, and those that email clients strip. */
const REMOVED = [
  "script, base, link, meta[http-equiv], meta[name=viewport i], iframe, frame, frameset, object, embed, applet, portal, fencedframe, template",
  "set, animate, animateMotion, animateTransform",
].join(", ");

/**
 * Attributes that act by themselves or take the page's focus or keys. Event handlers do nothing in a frame without
 * scripts.
 */
const ACTIVE = ["action", "formaction", "ping", "autofocus", "accesskey", "srcdoc", "loading", "target"];

/** Attributes that can contain a colour scheme. */
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

/** Browsers ignore control characters and line breaks in a URL's scheme. */
function isScript(address: string): boolean {
  return /^(?:javascript|vbscript):|^data:(?!image\/)/i.test(address.replace(/[\0- ]+/g, ""));
}

function openElsewhere(link: Element): void {
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
}

/** Replaces Content-IDs by the URLs of the embedded images. */
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

/** The colour scheme that an email is shown in. Clients that force dark mode request the light one. */
export type ColourScheme = "light" | "dark";

export function colourSchemeOf(scheme: Scheme): ColourScheme {
  return scheme === "dark" ? "dark" : "light";
}

/** Media features that are always or never true, wherever an email is shown. */
const ALWAYS = "(min-width: 0)";
const NEVER = "(min-width: 1e7px)";

const GAP = String.raw`(?:\s|/\*[\s\S]*?\*/)*`;
const SKIPPED = String.raw`"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|/\*[\s\S]*?\*/`;
const FEATURE = String.raw`\(${GAP}prefers-color-scheme${GAP}(?::${GAP}([\w-]+)${GAP})?\)`;
const DECLARATION = String.raw`(?<![\w-])(color-scheme${GAP}:)([^;{}()!]*)`;

const queries = new RegExp(FEATURE, "gi");
const styles = new RegExp(`${SKIPPED}|${FEATURE}|${DECLARATION}`, "gi");

/** A media query as it reads in a given colour scheme. */
export function chooseInQuery(query: string, face: ColourScheme): string {
  return query.replace(queries, (_, wanted?: string) => answer(wanted, face));
}

/** The same for a style sheet or a style attribute. Strings and comments stay unchanged. */
export function chooseInStyles(css: string, face: ColourScheme): string {
  if (!/color-scheme/i.test(css)) return css;
  return css.replace(styles, (match: string, wanted?: string, property?: string, schemes?: string) => {
    if (property !== undefined) return `${property} ${chooseScheme(schemes ?? "", face)}`;
    return match.startsWith("(") ? answer(wanted, face) : match;
  });
}

/**
 * The scheme to use of those an element supports: of the value of `color-scheme`, or of the meta element of that name.
 */
export function chooseScheme(value: string, face: ColourScheme): string {
  return value
    .toLowerCase()
    .split(/[\s,]+/)
    .includes(face)
    ? face
    : value.trim();
}

function answer(wanted: string | undefined, face: ColourScheme): string {
  return wanted === undefined || wanted.toLowerCase() === face ? ALWAYS : NEVER;
}
