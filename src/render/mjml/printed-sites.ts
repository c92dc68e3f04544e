import { SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import { siteAttribute } from "../source/sites.js";
import type { MjmlLibrary } from "./library.js";

/**
 * Makes MJML's components print the site of their element in every tag to which they write its attributes. Elements
 * without a site are unchanged.
 */
export function printSites(components: MjmlLibrary["components"]): void {
  // Most components inherit the function from one class.
  const printers = new Set(Object.values(components).flatMap((component) => printerOf(component) ?? []));
  for (const printer of printers) {
    const { htmlAttributes: print } = printer;
    printer.htmlAttributes = function printSite(given) {
      const site = this.attributes?.[SITE_ATTRIBUTE];
      return print.call(this, given) + (typeof site === "string" ? siteAttribute(site) : "");
    };
  }
}

type Print = (this: Printer, given: unknown) => string;

/** The object that prints the attributes of a component's tags: the prototype of a class. */
interface Printer {
  attributes?: Readonly<Record<string, unknown>>;
  htmlAttributes: Print;
}

function printerOf(component: unknown): Printer | undefined {
  let owner: unknown = typeof component === "function" ? component.prototype : undefined;
  while (isObject(owner) && !Object.hasOwn(owner, "htmlAttributes")) owner = Object.getPrototypeOf(owner);
  return isPrinter(owner) ? owner : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isPrinter(value: unknown): value is Printer {
  return isObject(value) && "htmlAttributes" in value && typeof value.htmlAttributes === "function";
}
