/**
 * Maximum height in pixels. A longer email scrolls inside its frame, so that an image 100,000 pixels high cannot
 * stretch the page.
 */
const MOST = 40_000;

/** Keeps a frame as high as its document when content loads or changes. Calls back with each new height. */
export class FrameHeight {
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
