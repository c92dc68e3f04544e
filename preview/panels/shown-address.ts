/** From where images may be loaded. */
interface Allowed {
  /** Base URL of the project's own images in compiled HTML. */
  readonly assetsBase: string | undefined;
  /** Whether images of other hosts are shown. */
  readonly remoteImages: boolean;
}

/**
 * The URL from which the page shows an image of the email: the project's own images always, those of other hosts if
 * remote images are on. Undefined if the image may not or cannot be shown.
 */
export const shownAddress = (src: string, { assetsBase: base, remoteImages }: Allowed): string | undefined => {
  if (src === "" || src.includes("{{")) return undefined;
  if (base !== undefined && src.startsWith(`${base}/`)) return `assets/${src.slice(base.length + 1)}`;
  if (/^data:image\//i.test(src)) return src;
  if (/^https?:\/\//i.test(src)) return remoteImages ? src : undefined;
  return src.startsWith("assets/") ? src : undefined;
};
