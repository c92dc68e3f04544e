import { Parser } from "htmlparser2";
import { nearest } from "../../../nearest.js";

/** What a decoded text still has of this form is shown as it is. */
export const ENTITY = /&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

/**
 * Whether html has an entity of this name.
 *
 * @example
 * isEntity("&nbsp;"); // true
 * isEntity("&nbps;"); // false
 */
export function isEntity(entity: string): boolean {
  let text = "";
  const parser = new Parser({ ontext: (part) => (text += part) });
  parser.end(entity);
  return text !== entity && !text.endsWith(";");
}

/** The entity that a mistyped one most likely meant. */
export function nearestEntity(entity: string): string | undefined {
  const near = nearest(entity.slice(1, -1), COMMON);
  return near === undefined ? undefined : `&${near};`;
}

/** Those that mails use. */
const COMMON: readonly string[] =
  "nbsp amp lt gt quot apos copy reg trade mdash ndash lsquo rsquo sbquo ldquo rdquo bdquo laquo raquo hellip bull middot euro pound yen cent deg times rarr larr uarr darr check shy zwnj zwj ensp emsp thinsp auml ouml uuml szlig eacute egrave agrave ccedil ntilde iexcl iquest sect para".split(
    " ",
  );
