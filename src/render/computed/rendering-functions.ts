import { Parser } from "htmlparser2";
import { writeText } from "../text/derive.js";
import { readHtml } from "../text/tree.js";

/*
 * What applications need of lettershop to compute the HTML of components, and its text. `package-functions.ts` bundles it with
 * functions of packages; the build makes it one file without imports (`scripts/build.mjs`).
 */

export { htmlOf } from "./component-html.js";

/** The text of HTML, as in a text body. */
export function textOf(html: string | null | undefined): string {
  return writeText(readHtml(html ?? "", Parser), [], NO_LISTS).text;
}

const NO_LISTS = { isList: () => false, hasItems: () => undefined, areUsed: false, isLast: () => undefined };
