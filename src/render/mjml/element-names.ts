import { TOKEN } from "../../mustache/tokens.js";
import { nearest } from "../../text/nearest.js";
import type { MjmlLibrary } from "./library.js";

/** Elements that MJML reads without a component; users choose their attributes. */
const WITHOUT_COMPONENT: readonly string[] = ["mjml", "mj-all", "mj-class", "mj-selector", "mj-html-attribute"];

/** All names of MJML elements. */
export function elementNames({ components }: Pick<MjmlLibrary, "components">): ReadonlySet<string> {
  return new Set([...Object.keys(components), ...WITHOUT_COMPONENT, "mj-include"]);
}

/** The element that an unknown name was most likely meant to be. */
export function meantElement(name: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(name) || name.search(TOKEN) >= 0 || EARLIER[name] !== undefined) return undefined;
  // "mj-li" is similar to "mjml", but was not meant to be it.
  const likely = name.startsWith("mj-") ? [...names].filter((each) => each.startsWith("mj-")) : names;
  return nearest(name, likely);
}

/** Elements that MJML had before version 4, and their replacements. */
const EARLIER: Readonly<Record<string, string>> = {
  "mj-container": "Since MJML 4, write its elements and attributes in <mj-body>.",
  "mj-html": "Since MJML 4, it is called <mj-raw>.",
  "mj-inline-links": "Since MJML 4, <mj-navbar> contains the links itself.",
  "mj-invoice": "Since MJML 4, write an invoice as an <mj-table>.",
  "mj-invoice-item": "Since MJML 4, write an invoice as an <mj-table>.",
  "mj-li": "Since MJML 4, write a list as HTML, in <mj-text>.",
  "mj-link": "Since MJML 4, it is called <mj-navbar-link>.",
  "mj-list": "Since MJML 4, write a list as HTML, in <mj-text>.",
  "mj-location": "Since MJML 4, write an address as an <mj-text>.",
};

/** A hint for an unknown element. */
export function insteadOfElement(name: string): string {
  const isOwn = name.startsWith("mj-") && name.search(TOKEN) < 0;
  return (
    EARLIER[name] ??
    (isOwn
      ? "Only MJML's own elements can be used. Put HTML into <mj-text> or <mj-raw>."
      : "Put HTML into <mj-text> or <mj-raw>.")
  );
}
