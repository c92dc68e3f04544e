/** Where images may be shown from. */
interface Allowed {
  /** The address of the project's own, as they are compiled. */
  readonly assetsBase: string | undefined;
  /** Whether those of other hosts are shown. */
  readonly remoteImages: boolean;
}

/**
 * Where the page shows an image of the email from: the project's own always, those of others where that is switched on.
 * Undefined where it may not, or cannot.
 */
export const shownAddress = (src: string, { assetsBase: base, remoteImages }: Allowed): string | undefined => {
  if (src === "" || src.includes("{{")) return undefined;
  if (base !== undefined && src.startsWith(`${base}/`)) return `assets/${src.slice(base.length + 1)}`;
  if (/^data:image\//i.test(src)) return src;
  if (/^https?:\/\//i.test(src)) return remoteImages ? src : undefined;
  return src.startsWith("assets/") ? src : undefined;
};
