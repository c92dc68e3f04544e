import type { Scheme } from "../state/view.js";
import { CANVAS, darkened, lightened, lineInDark } from "./colour.js";
import { contentPolicy, emptyDocument, removeBlockedContent } from "./content-policy.js";
import { morph } from "./morph.js";
import { prepareDocument, colourSchemeOf } from "./prepare-document.js";

/**
 * Maximum height in pixels. A longer email scrolls inside its frame, so that an image 100,000 pixels high cannot
 * stretch the page.
 */
const MOST = 40_000;

/** Keeps a frame as high as its document when content loads or changes. Calls back with each new height. */
class FrameHeight {
  readonly #frame: HTMLIFrameElement;
  readonly #email: Document;
  readonly #onHeight: (height: number) => void;
  readonly #observer = new ResizeObserver(() => this.measure());
  #known = "";
  #height = -1;

  constructor(frame: HTMLIFrameElement, email: Document, onHeight: (height: number) => void) {
    this.#frame = frame;
    this.#email = email;
    this.#onHeight = onHeight;
    for (const element of [frame, email.documentElement, email.body]) this.#observer.observe(element);
    email.addEventListener("load", () => this.measure(), true);
  }

  measure(): void {
    const email = this.#email;
    const { clientWidth, clientHeight, scrollHeight } = email.documentElement;
    const { height } = email.documentElement.getBoundingClientRect();
    const known = [clientWidth, clientHeight, scrollHeight, height].join();
    // In quirks mode the root is as high as the frame, whatever its content.
    if (known === this.#known && email.compatMode !== "BackCompat") return;
    const needed = Math.min(MOST, this.#needed());
    this.#known = known;
    if (needed === this.#height) return;
    this.#height = needed;
    this.#frame.style.height = `${needed}px`;
    this.#onHeight(needed);
  }

  stop(): void {
    this.#observer.disconnect();
  }

  /**
   * A document is at least as high as its frame, so it is measured in a frame of height 0. The minimum height is
   * removed for that, because it can shrink without a change of the document.
   */
  #needed(): number {
    const { style } = this.#frame;
    const { height } = style;
    style.height = "0";
    style.minHeight = "0";
    const { scrollHeight } = this.#email.scrollingElement ?? this.#email.documentElement;
    style.height = height;
    style.minHeight = "";
    return scrollHeight;
  }
}

/**
 * Shows an email as clients that force dark mode do: each colour is changed separately, from computed styles. Images
 * and gradients stay. Like Outlook.com, it marks changed elements with attributes that an email's styles can select.
 */
function darken(email: Document): void {
  const view = email.defaultView;
  if (!view) return;
  const priority = isPreparedFor(email) ? "" : "important";
  const changes: (() => void)[] = [];
  const change = (element: HTMLElement, property: string, colour: string, mark?: [name: string, value: string]) =>
    changes.push(() => {
      element.style.setProperty(property, colour, priority);
      if (mark) element.setAttribute(...mark);
    });

  for (const element of email.querySelectorAll<HTMLElement>(":is(html, body, body *):not(svg, svg *)")) {
    const style = view.getComputedStyle(element);
    const background = darkened(style.backgroundColor);
    if (background) change(element, "background-color", background, ["data-ogsb", style.backgroundColor]);
    const text = element.matches("body, li, input") || hasOwnText(element) ? lightened(style.color) : undefined;
    if (text) change(element, "color", text, ["data-ogsc", style.color]);
    for (const side of SIDES) {
      if (style.getPropertyValue(`border-${side}-width`) === "0px") continue;
      const line = lineInDark(style.getPropertyValue(`border-${side}-color`));
      if (line) change(element, `border-${side}-color`, line);
    }
  }
  // Reading styles between changes would make the browser compute them again each time.
  for (const apply of changes) apply();
}

const SIDES = ["top", "right", "bottom", "left"];

function isPreparedFor(email: Document): boolean {
  return [...email.querySelectorAll("style")].some(({ textContent }) => /data-og(?:sc|sb|ac|ab)/.test(textContent));
}

/** Whether an element has text that is not in one of its elements. */
export function hasOwnText({ childNodes }: Element): boolean {
  return [...childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim());
}

export interface Look {
  readonly scheme: Scheme;
  readonly areImagesBlocked: boolean;
  /** In per cent. */
  readonly textSize: number;
  readonly isRightToLeft: boolean;
}

export interface Email {
  readonly html: string;
  readonly title: string;
  readonly look: Look;
  readonly showsRemoteImages: boolean;
  readonly contentIds: Readonly<Record<string, string>>;
}

interface Prepared {
  readonly prepared: Document;
  readonly withheldImages: number;
}

interface Listener {
  /** Called when an email is on the screen or has changed there, with the number of remote images withheld from it. */
  readonly shown: (email: Document, withheldImages: number) => void;
  readonly height: (height: number) => void;
}

/**
 * An email in a frame without scripts. A change to the email updates the frame's document only where it differs, so
 * that nothing flickers or loads again. What a document cannot change after it is created (its policy, its mode) takes
 * a new frame, which becomes visible once it is filled.
 */
export class ShownEmail {
  readonly #host: HTMLElement;
  readonly #listener: Listener;
  #frame: HTMLIFrameElement | undefined;
  #coming: HTMLIFrameElement | undefined;
  #latest: Email | undefined;
  #height: FrameHeight | undefined;

  constructor(host: HTMLElement, listener: Listener) {
    this.#host = host;
    this.#listener = listener;
  }

  show(email: Email): void {
    this.#latest = email;
    const { look, contentIds } = email;
    const prepared = prepareDocument(email.html, {
      face: colourSchemeOf(look.scheme),
      isRightToLeft: look.isRightToLeft,
      contentIds,
    });
    const images = { ...look, ...email, own: ["assets/", ...Object.values(contentIds)] };
    const withheldImages = removeBlockedContent(prepared, images);
    const shell = emptyDocument(contentPolicy(images), prepared.compatMode === "BackCompat");
    if (this.#frame?.srcdoc === shell) {
      this.#dropComing();
      this.#fill(this.#frame, email, { prepared, withheldImages });
    } else if (this.#coming?.srcdoc !== shell) {
      this.#open(shell);
    }
  }

  close(): void {
    this.#height?.stop();
    this.#dropComing();
    this.#frame?.remove();
    this.#frame = undefined;
    this.#latest = undefined;
  }

  #open(shell: string): void {
    this.#dropComing();
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-same-origin allow-popups allow-popups-to-escape-sandbox");
    frame.referrerPolicy = "no-referrer";
    frame.srcdoc = shell;
    frame.style.visibility = "hidden";
    frame.addEventListener("load", () => this.#arrive(frame), { once: true });
    this.#coming = frame;
    this.#host.append(frame);
  }

  #arrive(frame: HTMLIFrameElement): void {
    if (frame !== this.#coming || !this.#latest) return;
    const before = this.#frame;
    this.#height?.stop();
    this.#height = frame.contentDocument
      ? new FrameHeight(frame, frame.contentDocument, this.#listener.height)
      : undefined;
    this.#frame = frame;
    this.#coming = undefined;
    passOn(frame);
    this.show(this.#latest);
    frame.style.visibility = "";
    before?.remove();
  }

  #fill(frame: HTMLIFrameElement, { look, title }: Email, { prepared, withheldImages }: Prepared): void {
    const { contentDocument: shown } = frame;
    if (!shown) return;
    frame.title = title;
    frame.style.colorScheme = colourSchemeOf(look.scheme);
    frame.style.background = look.scheme === "light" ? CANVAS.light : CANVAS.dark;
    morph(shown.documentElement, prepared.documentElement);
    // The page around it scrolls; a scroll bar that takes width would change the layout.
    shown.documentElement.style.setProperty("scrollbar-width", "none", "important");
    // Shown as its recipients see it, even if the user has a contrast theme.
    shown.documentElement.style.setProperty("forced-color-adjust", "none", "important");
    enlargeText(shown, look.textSize);
    if (look.scheme === "forced-dark") darken(shown);
    this.#height?.measure();
    this.#listener.shown(shown, withheldImages);
  }

  #dropComing(): void {
    this.#coming?.remove();
    this.#coming = undefined;
  }
}

/**
 * Scales an email's text as for a recipient who set a larger or smaller text size. Images and columns keep their size.
 */
function enlargeText(email: Document, percent: number): void {
  const view = email.defaultView;
  if (!view || percent === 100) return;
  const factor = percent / 100;
  const changes: (() => void)[] = [];
  for (const element of email.querySelectorAll<HTMLElement>("body, body *:not(svg, svg *)")) {
    const { fontSize, lineHeight } = view.getComputedStyle(element);
    changes.push(() => {
      element.style.setProperty("font-size", scaled(fontSize, factor), "important");
      if (lineHeight !== "normal" && parseFloat(lineHeight) > 0) {
        element.style.setProperty("line-height", scaled(lineHeight, factor), "important");
      }
    });
  }
  for (const apply of changes) apply();
}

function scaled(length: string, factor: number): string {
  return `${parseFloat(length) * factor}px`;
}

/** Forwards keys and pointer events from an email's frame to the page, and follows links within the email. */
function passOn(frame: HTMLIFrameElement): void {
  const email = frame.contentDocument;
  if (!email) return;
  for (const type of ["keydown", "keyup"] as const) {
    email.addEventListener(type, (event) => {
      const isTaken = !frame.dispatchEvent(new KeyboardEvent(type, event));
      if (isTaken) event.preventDefault();
    });
  }
  email.addEventListener("pointerdown", () => frame.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })));
  email.addEventListener("click", (event) => {
    const link = isElement(event.target) ? event.target.closest("a[href^='#'], area[href^='#']") : null;
    if (!link) return;
    // A fragment would be resolved against the page's URL, which would load the page into the frame.
    event.preventDefault();
    const name = decodeURIComponent(link.getAttribute("href")?.slice(1) ?? "");
    const target = email.getElementById(name) ?? email.getElementsByName(name)[0] ?? email.documentElement;
    target.scrollIntoView({ block: "start" });
  });
}

/** Works for elements of any window, unlike `instanceof`. */
function isElement(target: EventTarget | null): target is Element {
  return target !== null && "closest" in target;
}
