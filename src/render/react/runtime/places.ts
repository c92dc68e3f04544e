import { SITE_ATTRIBUTE } from "../../../markup/scan.js";
import { understands } from "./elements.js";
import { isElement } from "./react-values.js";
import { represented, type Site } from "./symbolic.js";

/*
 * In a sited compile every element that is written as JSX tells where, in an attribute. While it is rendered, that is the
 * number of the place among all that this thread has come across: a module's own elements are made once, when it is
 * loaded, whichever template it is loaded for.
 */

const sites: Site[] = [];
const numbers = new Map<string, number>();

/** An element with its place. Own components are spared it: what they give has places of its own. */
export function placed(element: unknown, site: Site): unknown {
  if (!isElement(element)) return element;
  const { type, props } = element;
  if (!represented(type) && understands(type)) return element;
  return { ...element, props: { ...props, [SITE_ATTRIBUTE]: String(numberOf(site)) } };
}

function numberOf(site: Site): number {
  const key = `${site.start} ${site.file}`;
  const number = numbers.get(key) ?? sites.push(site) - 1;
  numbers.set(key, number);
  return number;
}

const PLACED = new RegExp(`( ${SITE_ATTRIBUTE}=")(\\d+)"`, "g");

/** Html whose elements have their places' numbers among its own, in the order in which they come. */
export function numberPlaces(html: string): { readonly html: string; readonly places: readonly Site[] } {
  const own = new Map<string, number>();
  const places: Site[] = [];
  const numbered = html.replace(PLACED, (_whole, start: string, known: string) => {
    const site = sites[Number(known)];
    if (site && !own.has(known)) own.set(known, places.push(site) - 1);
    return `${start}${own.get(known) ?? ""}"`;
  });
  return { html: numbered, places };
}
