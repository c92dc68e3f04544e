import type { Scheme } from "../state/view.js";
import { CANVAS } from "./colour.js";
import { contentPolicy, emptyDocument } from "./content-policy.js";
import { darken } from "./darken.js";
import { enlargeText } from "./enlarge-text.js";
import { passOn } from "./frame-events.js";
import { FrameHeight } from "./frame-height.js";
import { morph } from "./morph.js";
import { prepareDocument } from "./prepare-document.js";
import { faceOf } from "./scheme.js";
import { withhold } from "./withhold.js";

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
      face: faceOf(look.scheme),
      isRightToLeft: look.isRightToLeft,
      contentIds,
    });
    const images = { ...look, ...email, own: ["assets/", ...Object.values(contentIds)] };
    const withheldImages = withhold(prepared, images);
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
    frame.style.colorScheme = faceOf(look.scheme);
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
