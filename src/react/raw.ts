import { compiling } from "./compiling.js";

/** React's value for an element's inner HTML. */
export interface RawHtml {
  readonly __html: string;
}

/**
 * HTML that is printed unchanged, `{{{body}}}` when compiled. Nothing is escaped: pass only HTML that you have created or
 * sanitised yourself.
 *
 * @example
 * <div dangerouslySetInnerHTML={raw(article.bodyHtml)} />
 */
export function raw(html: string): RawHtml {
  return { __html: compiling()?.html(html) ?? html };
}
