import { compiling } from "./compiling.js";

/** What React takes for the inside of an element. */
export interface RawHtml {
  readonly __html: string;
}

/**
 * Html that is printed as it is, `{{{body}}}` once compiled. Nothing in it is escaped: give it only what you made, or
 * cleaned, yourself.
 *
 * @example
 * <div dangerouslySetInnerHTML={raw(article.bodyHtml)} />
 */
export function raw(html: string): RawHtml {
  return { __html: compiling()?.html(html) ?? html };
}
