import { nearest } from "../../../nearest.js";

const IMAGES = ["png", "jpg", "jpeg", "gif", "webp", "svg", "avif"];

/** Near enough to an image's ending to be taken for one, and meant as they are. */
const OTHERS: ReadonlySet<string> = new Set([
  ...IMAGES,
  ..."apng jpe jfif jpx jpm jxl gifv svgz webm avi avis avifs pnm ping".split(" "),
]);

/**
 * The ending of an image's address that is nearly one of an image, and the one that is meant. Two letters may be a
 * country's, as in `/logos/shop.co.jp`.
 *
 * @example
 * mistypedImageEnding("https://a.example/logo.pgn?v=2"); // { ending: "pgn", meant: "png" }
 */
export function mistypedImageEnding(address: string): { readonly ending: string; readonly meant: string } | undefined {
  const ending = /^[^?#]*\/[^/?#]*\w[^/?#]*\.([a-z]{3,5})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase();
  if (ending === undefined || OTHERS.has(ending) || /^[a-z]+:\/\/[^/]*$/i.test(address)) return undefined;
  const meant = nearest(ending, IMAGES, 1);
  return meant === undefined ? undefined : { ending, meant };
}
