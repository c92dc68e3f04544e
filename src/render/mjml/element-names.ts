import { TOKEN } from "../../mustache/tokens.js";
import { nearest } from "../../nearest.js";
import type { MjmlLibrary } from "./library.js";

/** Elements that MJML reads without a component of their own; their attributes are the user's to name. */
const WITHOUT_COMPONENT: readonly string[] = ["mjml", "mj-all", "mj-class", "mj-selector", "mj-html-attribute"];

/** What an element of MJML can be called. */
export function elementNames({ components }: Pick<MjmlLibrary, "components">): ReadonlySet<string> {
  return new Set([...Object.keys(components), ...WITHOUT_COMPONENT, "mj-include"]);
}

/** The element that was meant by a name that is none. */
export function meantElement(name: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(name) || name.search(TOKEN) >= 0 || EARLIER[name] !== undefined) return undefined;
  // "mj-li" is near "mjml", too, and not meant to be it.
  const likely = name.startsWith("mj-") ? [...names].filter((each) => each.startsWith("mj-")) : names;
  return nearest(name, likely);
}

/** Elements that MJML had before version 4, and what to write now. */
const EARLIER: Readonly<Record<string, string>> = {
  "mj-container": "Since MJML 4 its elements stand in <mj-body>, which takes its attributes.",
  "mj-html": "Since MJML 4 it is called <mj-raw>.",
  "mj-inline-links": "Since MJML 4 <mj-navbar> holds the links itself.",
  "mj-invoice": "Since MJML 4 an invoice is an <mj-table>.",
  "mj-invoice-item": "Since MJML 4 an invoice is an <mj-table>.",
  "mj-li": "Since MJML 4 a list is written as html, in <mj-text>.",
  "mj-link": "Since MJML 4 it is called <mj-navbar-link>.",
  "mj-list": "Since MJML 4 a list is written as html, in <mj-text>.",
  "mj-location": "Since MJML 4 an address is an <mj-text>.",
};

/** What to do about an element that MJML has not. */
export function insteadOfElement(name: string): string {
  const isOwn = name.startsWith("mj-") && name.search(TOKEN) < 0;
  return (
    EARLIER[name] ??
    (isOwn
      ? "Only MJML's own elements can be used. Put html into <mj-text> or <mj-raw>."
      : "Put html into <mj-text> or <mj-raw>.")
  );
}
